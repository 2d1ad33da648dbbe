package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Processor time of system calls ({@code madt-native/bench/syscalls.c}): of the program alone,
 * recorded, and under {@code --start marker}, where nothing is recorded. The three take turns, so
 * that all see the same machine; of each figure the best round counts.
 */
public final class SyscallsBenchmark {
    /** Nanoseconds that a call may take longer. */
    private static final double GOAL = 60;
    /** A byte through a pipe and back is two calls. */
    private static final Map<String, Integer> CALLS = Map.of("pipe", 2);

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public SyscallsBenchmark(int repetitions, int rounds) {
        this.repetitions = repetitions;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        try {
            TimedKinds program = new TimedKinds(home, "syscalls", repetitions);
            Map<String, Double> alone = new LinkedHashMap<>();
            Map<String, Double> recorded = new LinkedHashMap<>();
            Map<String, Double> waiting = new LinkedHashMap<>();
            for (int i = 0; i < rounds; i++) {
                program.better(alone, List.of());
                program.better(recorded, madt(trace, "main"));
                program.better(waiting, madt(trace, "marker"));
            }
            print(out, alone, recorded, waiting);
        } finally {
            Files.deleteIfExists(trace);
            Files.delete(folder);
        }
    }

    private static void print(
            PrintStream out,
            Map<String, Double> alone,
            Map<String, Double> recorded,
            Map<String, Double> waiting) {
        out.printf(
                Locale.ROOT,
                "%-10s %10s %10s %8s %16s %8s%n",
                "ns",
                "alone",
                "recorded",
                "more",
                "--start marker",
                "more");
        alone.forEach((name, time) -> out.printf(
                Locale.ROOT,
                "%-10s %10.0f %10.0f %+8.0f %16.0f %+8.0f   goal: at most +%.0f%n",
                name,
                time,
                recorded.get(name),
                recorded.get(name) - time,
                waiting.get(name),
                waiting.get(name) - time,
                GOAL * CALLS.getOrDefault(name, 1)));
    }

    private List<String> madt(Path trace, String start) {
        String madt = home.resolve("madt").toString();
        return List.of(madt, "run", "-q", "--start", start, "-f", "-o", trace.toString(), "--");
    }
}
