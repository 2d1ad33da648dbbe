package dev.madt.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Tells which other tools there are to compare with. */
final class InstalledPrograms {
    private InstalledPrograms() {}

    /** Returns whether there is a program: by its path, or by its name in PATH. */
    static boolean has(String program) {
        return program.startsWith("/")
                ? Files.isExecutable(Path.of(program))
                : Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Runs a command that says nothing; returns whether it succeeded. */
    static boolean succeeds(List<String> words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
