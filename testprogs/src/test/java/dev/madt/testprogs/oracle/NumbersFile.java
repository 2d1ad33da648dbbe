package dev.madt.testprogs.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes a file that compresses well, and keeps several threads of xz busy. */
final class NumbersFile {
    private NumbersFile() {}

    /** Writes the numbers from 1 to {@code count}, a line each, to a file of a directory. */
    static Path in(Path directory, int count) throws IOException {
        return Files.writeString(
                directory.resolve("numbers"),
                IntStream.rangeClosed(1, count)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining("\n")));
    }
}
