package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Lines and accesses per second of processor time with which a trace is printed and counted, each
 * in a process of its own, its start included. Beside them stand {@code cat} of the printed text
 * and Valgrind's Lackey, which prints while it records, both to nowhere; then the same on a trace
 * of a real program ({@link RecordedReading}). The fastest round counts.
 */
public final class ReadingBenchmark {
    private static final double LINES_GOAL = 10e6;
    private static final double ACCESSES_GOAL = 50e6;
    private static final int TEXT_PART = 10;
    private static final String LACKEY_TARGET = "/bin/true";

    private final long accesses;
    private final int rounds;
    private final String madt = MeasuredProcess.home().resolve("madt").toString();

    public ReadingBenchmark(long accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        Path text = folder.resolve("bench.txt");
        try {
            SyntheticTrace.write(trace, accesses / SyntheticTrace.ACCESSES_PER_RECORD);
            out.printf(
                    Locale.ROOT,
                    "%,d accesses; goals: print %,.0f lines/s, report %,.0f accesses/s%n",
                    accesses,
                    LINES_GOAL,
                    ACCESSES_GOAL);
            out.printf(Locale.ROOT, "%-16s %14s %10s%n", "", "per second", "peak MiB");
            MeasuredProcess.best(rounds, List.of(madt, "print", trace.toString()))
                    .row(out, "print", accesses);
            MeasuredProcess.best(rounds, List.of(madt, "report", trace.toString()))
                    .row(out, "report", accesses);
            SyntheticTrace.write(trace, accesses / TEXT_PART / SyntheticTrace.ACCESSES_PER_RECORD);
            toFile(List.of(madt, "print", trace.toString()), text, ProcessBuilder.Redirect.DISCARD);
            MeasuredProcess.best(rounds, List.of("cat", text.toString()))
                    .row(out, "cat of the text", accesses / TEXT_PART);
            lackey(out, text);
            new RecordedReading(madt, folder, rounds).run(out, accesses);
        } finally {
            Files.deleteIfExists(text);
            Files.deleteIfExists(trace);
            Files.delete(folder);
        }
    }

    private void lackey(PrintStream out, Path text)
            throws Failure, IOException, InterruptedException {
        List<String> command =
                List.of("valgrind", "--tool=lackey", "--trace-mem=yes", LACKEY_TARGET);
        try {
            toFile(command, Path.of("/dev/null"), ProcessBuilder.Redirect.to(text.toFile()));
        } catch (IOException e) {
            out.println("Lackey is not there. Install it with: sudo apt-get install -y valgrind");
            return;
        }
        long lines;
        try (var all = Files.lines(text)) {
            lines = all.count();
        }
        MeasuredProcess.best(rounds, command).row(out, "Lackey's lines", lines);
    }

    private static void toFile(List<String> command, Path file, ProcessBuilder.Redirect errors)
            throws Failure, IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(file.toFile())
                .redirectError(errors)
                .start();
        process.getOutputStream().close();
        if (process.waitFor() != 0) {
            throw new Failure(
                    Status.FAILED,
                    "'" + String.join(" ", command) + "' failed with status " + process.exitValue()
                            + "; the benchmark ends.");
        }
    }
}
