package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Traps in the patches of engine {@code splice}, on programs that others wrote: how many for a
 * million accesses, and where the most are.
 */
public final class TrapsBenchmark {
    private static final int MINUTES = 30;
    private static final int PLACES = 3;

    private final Path home = MeasuredProcess.home();

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            out.printf(
                    Locale.ROOT,
                    "Goal: at most 1 trap in a million accesses.%n%n%-20s %15s %12s %12s%n",
                    "",
                    "accesses",
                    "traps",
                    "a million");
            for (TrappingPrograms.Case one : new TrappingPrograms(home, folder).all()) {
                measure(out, one, folder, List.of());
                measure(out, one, folder, List.of("--stack"));
            }
        } finally {
            clean(folder);
        }
    }

    private void measure(
            PrintStream out, TrappingPrograms.Case one, Path folder, List<String> options)
            throws Failure, IOException, InterruptedException {
        String name = one.name() + (options.isEmpty() ? "" : " " + options.get(0));
        if (!Files.isExecutable(Path.of(one.command().get(0)))) {
            out.printf(
                    Locale.ROOT,
                    "%-20s not installed: %s%n",
                    name,
                    one.command().get(0));
            return;
        }
        Path trace = folder.resolve("bench.madt");
        record(one, trace, options);
        TraceMeta meta = TraceMeta.of(trace);
        Files.delete(trace);
        long accesses = meta.number("loads") + meta.number("stores");
        long traps = meta.number("patch_traps");
        out.printf(
                Locale.ROOT,
                "%-20s %,15d %,12d %12.2f%n",
                name,
                accesses,
                traps,
                1e6 * traps / Math.max(1, accesses));
        meta.text("trap_places")
                .lines()
                .limit(PLACES)
                .forEach(place -> out.printf("%-20s   %s%n", "", place));
    }

    private void record(TrappingPrograms.Case one, Path trace, List<String> options)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(home.resolve("madt").toString(), "run"));
        words.addAll(options);
        words.addAll(List.of("-q", "-f", "-o", trace.toString(), "--"));
        words.addAll(one.command());
        Process process = new ProcessBuilder(words)
                .redirectInput(one.input().toFile())
                .redirectOutput(new File("/dev/null"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new Failure(
                    Status.FAILED, "'" + String.join(" ", words) + "' failed; the benchmark ends.");
        }
    }

    private static void clean(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
