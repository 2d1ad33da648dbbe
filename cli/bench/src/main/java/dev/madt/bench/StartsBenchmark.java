package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures what it takes to start programs that others wrote and that have little to do: alone,
 * with an empty cache, from then on, and from then on where nothing is recorded
 * ({@code --start marker}). Time is the clock's and the processor's, user and system, of the
 * launcher and the program together; memory is the launcher's. Of warm starts the fastest round
 * counts.
 */
public final class StartsBenchmark {
    private static final double MIB = 1024;

    /** One of them; the first word is found by PATH. */
    private record Case(String name, List<String> command) {}

    /** A run: seconds by the clock and of processor time, and the launcher's memory. */
    private record Taken(double clock, double processor, long peakKib) {
        Taken better(Taken other) {
            return other == null
                    ? this
                    : new Taken(
                            Math.min(clock, other.clock),
                            Math.min(processor, other.processor),
                            Math.max(peakKib, other.peakKib));
        }

        String text() {
            return String.format(Locale.ROOT, "%6.2f %5.2f %4.0f", clock, processor, peakKib / MIB);
        }
    }

    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public StartsBenchmark(int rounds) {
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            out.printf(
                    Locale.ROOT,
                    "Seconds by the clock, seconds of processor time, MiB of the launcher.%n"
                            + "Goals, cc1: warm 0.4 s more than alone by the clock; empty cache"
                            + " 300 MiB.%n%n%-16s %6s  %-17s  %-17s  %-17s%n",
                    "",
                    "alone",
                    "empty cache",
                    "warm",
                    "--start marker");
            for (Case one : cases(folder)) {
                measure(out, one, folder);
            }
            new StartBenchmark(home, folder, rounds).print(out);
        } finally {
            clean(folder);
        }
    }

    private static List<Case> cases(Path folder) throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.c"), "");
        return List.of(
                new Case(
                        "cc1, empty file",
                        List.of(
                                TrappingPrograms.compiler(),
                                "-quiet",
                                empty.toString(),
                                "-o",
                                "/dev/null")),
                new Case("true", List.of("true")),
                new Case("perl -e 1", List.of("perl", "-e", "1")),
                new Case("python3 -c 1", List.of("python3", "-c", "1")),
                new Case("git --version", List.of("git", "--version")),
                new Case("node -e 1", List.of("node", "-e", "1")),
                new Case("ffmpeg -version", List.of("ffmpeg", "-version")));
    }

    private void measure(PrintStream out, Case one, Path folder)
            throws Failure, IOException, InterruptedException {
        if (!InstalledPrograms.has(one.command().get(0))) {
            out.printf(Locale.ROOT, "%-16s not installed%n", one.name());
            return;
        }
        Path cache = folder.resolve("cache");
        clean(cache);
        Taken alone = null;
        Taken warm = null;
        Taken waiting = null;
        Taken empty = recorded(one, folder, cache, "main");
        for (int i = 0; i < rounds; i++) {
            alone = taken(one.command()).better(alone);
            warm = recorded(one, folder, cache, "main").better(warm);
            waiting = recorded(one, folder, cache, "marker").better(waiting);
        }
        out.printf(
                Locale.ROOT,
                "%-16s %6.2f  %s  %s  %s   %,d MiB in the cache%n",
                one.name(),
                alone.clock(),
                empty.text(),
                warm.text(),
                waiting.text(),
                size(cache) >> 20);
    }

    private Taken recorded(Case one, Path folder, Path cache, String start)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "env",
                "XDG_CACHE_HOME=" + cache,
                home.resolve("madt").toString(),
                "run",
                "-q",
                "-f",
                "-o",
                folder.resolve("bench.madt").toString(),
                "--start",
                start,
                "--"));
        words.addAll(one.command());
        return taken(words);
    }

    private static Taken taken(List<String> command)
            throws Failure, IOException, InterruptedException {
        long begin = System.nanoTime();
        MeasuredProcess process = MeasuredProcess.run(command);
        return new Taken((System.nanoTime() - begin) / 1e9, process.seconds(), process.peakKib());
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            long size = 0;
            for (Path file : files.toList()) {
                size += Files.isRegularFile(file) ? Files.size(file) : 0;
            }
            return size;
        }
    }

    private static void clean(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
