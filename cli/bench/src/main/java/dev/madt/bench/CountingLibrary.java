package dev.madt.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A function that counts how often it is called ({@code madt_probe.h}), in a library. */
final class CountingLibrary {
    private static final String SOURCE =
            """
            #include <madt_probe.h>

            void count(const struct madt_probe *probe)
            {
                probe->numbers[0]++;
            }
            """;

    private CountingLibrary() {}

    /** Builds it; null: there is no compiler. */
    static Path build(Path home) throws IOException, InterruptedException {
        Path source = Files.createTempFile("madt-bench", ".c");
        Path library = Files.createTempFile("madt-bench", ".so");
        Files.writeString(source, SOURCE);
        int status = InstalledPrograms.has("gcc")
                ? new ProcessBuilder(List.of(
                                "gcc",
                                "-O2",
                                "-shared",
                                "-fPIC",
                                "-I" + home.resolve("madt-native/include"),
                                "-o",
                                library.toString(),
                                source.toString()))
                        .inheritIO()
                        .start()
                        .waitFor()
                : 1;
        Files.delete(source);
        if (status == 0) {
            return library;
        }
        Files.delete(library);
        return null;
    }
}
