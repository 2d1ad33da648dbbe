package dev.madt.console;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder for files that nobody asked to keep: it goes with all that is in it. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    /** Makes one where temporary files go. */
    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("madt-traces");
    }

    public Path path() {
        return path;
    }

    /** Returns what is in it: these first, the others behind them. */
    public List<Path> files(List<Path> first) throws IOException {
        List<Path> all = new ArrayList<>(first);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (!all.contains(file)) {
                    all.add(file);
                }
            }
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        for (Path file : files(List.of())) {
            Files.delete(file);
        }
        Files.delete(path);
    }
}
