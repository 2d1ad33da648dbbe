package dev.madt.view.parquet;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Analysis;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder with files of Parquet, those of several traces: each has its name in front. */
public final class ParquetFolder {
    private final Path folder;
    private final List<String> names = new ArrayList<>();
    private final List<AccessFiles> all = new ArrayList<>();

    /** @param folder which is there */
    public ParquetFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Returns the files that are in the way of those of some traces. To be asked once, with all
     * traces in the order in which they will be read.
     */
    public List<Path> old(List<Path> traces) throws IOException {
        List<Path> old = new ArrayList<>();
        for (Path trace : traces) {
            String name = unique(trace.getFileName().toString());
            names.add(name);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(
                    folder,
                    file -> file.getFileName().toString().startsWith(name + '-')
                            && file.toString().endsWith(".parquet"))) {
                files.forEach(old::add);
            }
        }
        return old;
    }

    private String unique(String name) {
        String unique = name;
        for (int i = 2; names.contains(unique); i++) {
            unique = name + '.' + i;
        }
        return unique;
    }

    /** Returns who writes the accesses of the next trace. */
    public Analysis next(MemberTypes types) {
        AccessFiles files = new AccessFiles(folder, names.get(all.size()), types);
        all.add(files);
        return files;
    }

    /** Returns how many rows there are. */
    public long rows() {
        return all.stream().mapToLong(AccessFiles::rows).sum();
    }

    /** Returns how many files there are. */
    public int files() {
        return all.stream().mapToInt(AccessFiles::files).sum();
    }
}
