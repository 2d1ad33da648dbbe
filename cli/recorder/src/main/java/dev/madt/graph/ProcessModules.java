package dev.madt.graph;

import dev.madt.resolver.ProcMaps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The modules of a process: the files that it executes, in the order of their addresses.
 *
 * @param files those that can be read
 * @param lost the names of those that are not there any more
 */
public record ProcessModules(List<Path> files, List<String> lost) {
    /** @throws IOException if there is no such process, or it belongs to somebody else */
    public static ProcessModules of(int pid) throws IOException {
        Path process = Path.of("/proc", Integer.toString(pid));
        String text = new String(
                Files.readAllBytes(process.resolve("maps")),
                StandardCharsets.UTF_8); // names may be anything
        List<Path> files = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        for (ProcMaps.Mapping mapping : ProcMaps.parse(text)) {
            Path file = Path.of(mapping.path());
            if (!mapping.executable() || !mapping.file() || files.contains(file)) {
                continue;
            }
            if (mapping.deleted() || !Files.isReadable(file)) {
                lost.add(mapping.path());
            } else {
                files.add(file);
            }
        }
        return new ProcessModules(files, lost);
    }
}
