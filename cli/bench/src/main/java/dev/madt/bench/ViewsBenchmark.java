package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.file.TraceReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Accesses per second of processor time and peak memory of the commands that read a whole trace,
 * each in a process of its own, its start included. Beside them stand, from the same rounds,
 * {@code cat} of the file and the unpacking of its frames alone, since what a machine does per
 * second changes with its other work. The fastest round counts.
 */
public final class ViewsBenchmark {
    private static final double GOAL = 50e6;
    private static final int GOAL_MIB = 256;
    private static final List<String> VIEWS = List.of(
            "report --by symbol",
            "report --by function",
            "report --by page",
            "heatmap -f -o FOLDER/map.png",
            "heatmap -f -o FOLDER/map.html",
            "convert --to callgrind");

    private final long accesses;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public ViewsBenchmark(int accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        try {
            SyntheticTrace.write(trace, accesses / SyntheticTrace.ACCESSES_PER_RECORD);
            out.printf(
                    Locale.ROOT,
                    "%,d accesses, %,d bytes; goal: %,.0f accesses/s, %d MiB%n",
                    accesses,
                    Files.size(trace),
                    GOAL,
                    GOAL_MIB);
            out.printf(
                    Locale.ROOT,
                    "%-30s %8s %14s %10s %10s%n",
                    "",
                    "cpu s",
                    "accesses/s",
                    "peak MiB",
                    "unpacking");
            measure(out, folder, trace);
        } finally {
            for (String name : List.of("bench.madt", "map.png", "map.html")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    private void measure(PrintStream out, Path folder, Path trace)
            throws Failure, IOException, InterruptedException {
        double unpacking = Double.MAX_VALUE;
        MeasuredProcess cat = null;
        for (int i = 0; i < rounds; i++) {
            unpacking = Math.min(unpacking, unpack(trace));
            cat = MeasuredProcess.run(List.of("cat", trace.toString())).better(cat);
        }
        row(out, "cat", cat.seconds(), cat.peakKib(), unpacking);
        row(out, "unpacking", unpacking, 0, unpacking);
        for (String view : VIEWS) {
            List<String> words = new ArrayList<>(List.of(home.resolve("madt").toString()));
            words.addAll(List.of(view.replace("FOLDER", folder.toString()).split(" ")));
            words.add(trace.toString());
            MeasuredProcess best = null;
            for (int i = 0; i < rounds; i++) {
                best = MeasuredProcess.run(words).better(best);
            }
            row(out, view.replace("-f -o FOLDER/", ""), best.seconds(), best.peakKib(), unpacking);
        }
    }

    private void row(PrintStream out, String what, double seconds, long peakKib, double unpacking) {
        out.printf(
                Locale.ROOT,
                "%-30s %8.2f %,14.0f %10s %8.2f x%n",
                what,
                seconds,
                accesses / Math.max(seconds, 0.01),
                peakKib == 0 ? "" : Long.toString(peakKib >> 10),
                seconds / unpacking);
    }

    /** Seconds of processor time to read, check and unpack every frame, in this process. */
    private static double unpack(Path trace) throws IOException {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try (TraceReader reader = new TraceReader(trace)) {
            reader.read(new Nowhere());
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
    }

    /** Takes frames and leaves them. */
    private static final class Nowhere implements FrameSink {
        @Override
        public void frame(Frame frame) {}

        @Override
        public void close() {}
    }
}
