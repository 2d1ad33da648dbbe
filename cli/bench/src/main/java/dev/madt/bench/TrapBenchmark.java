package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Time per access of engine {@code trap} against a bare loop of the same four kernel operations
 * (fault, mprotect, trap, mprotect), the two in turn so that both see the same machine. The
 * programs time their own loops and print nanoseconds per access.
 */
public final class TrapBenchmark {
    private static final double GOAL = 1.25;
    private static final int MINUTES = 5;

    private final int accesses;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public TrapBenchmark(int accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            measure(out, folder.resolve("bench.madt"));
        } finally {
            Files.deleteIfExists(folder.resolve("bench.madt"));
            Files.delete(folder);
        }
    }

    private void measure(PrintStream out, Path trace)
            throws Failure, IOException, InterruptedException {
        double[] bare = new double[rounds];
        double[] engine = new double[rounds];
        double[] ratio = new double[rounds];
        out.printf(Locale.ROOT, "%-8s %12s %12s %8s%n", "round", "bare ns", "trap ns", "ratio");
        for (int i = 0; i < rounds; i++) {
            bare[i] = time(List.of(program("trap_bare")));
            engine[i] = time(List.of(
                    home.resolve("madt").toString(),
                    "run",
                    "--engine",
                    "trap",
                    "-q",
                    "-f",
                    "-o",
                    trace.toString(),
                    "--",
                    program("trap_target")));
            ratio[i] = engine[i] / bare[i];
            out.printf(
                    Locale.ROOT, "%-8d %12.0f %12.0f %8.2f%n", i + 1, bare[i], engine[i], ratio[i]);
        }
        out.printf(
                Locale.ROOT,
                "%-8s %12.0f %12.0f %8.2f   goal: at most %.2f%n",
                "median",
                median(bare),
                median(engine),
                median(ratio),
                GOAL);
    }

    private String program(String name) throws Failure {
        Path file = home.resolve("madt-native/target/bench").resolve(name);
        if (!Files.isExecutable(file)) {
            throw new Failure(
                    Status.FAILED, file + " is not there. Build it with: make -C madt-native");
        }
        return file.toString();
    }

    private double time(List<String> command) throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.add(Integer.toString(accesses));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                .strip();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new Failure(
                    Status.FAILED, "'" + String.join(" ", words) + "' failed; the benchmark ends.");
        }
        return Double.parseDouble(text);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
