package dev.madt.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder that goes with all that others have put into it, in folders too. */
final class TemporaryTree implements AutoCloseable {
    private final Path path;

    TemporaryTree() throws IOException {
        path = Files.createTempDirectory("madt-bench");
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
