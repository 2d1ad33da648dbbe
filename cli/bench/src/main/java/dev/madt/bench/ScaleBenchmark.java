package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Programs with many blocks, processes, threads and mappings ({@code madt-native/bench/scale.c}):
 * processor time alone, recorded, and under heaptrack where that is installed, all in one run; then
 * the tables in which blocks are kept.
 */
public final class ScaleBenchmark {
    /** So many parts of the program's work; heaptrack tells of it where it is allocation. */
    private record Load(String name, long count, boolean allocates) {}

    private static final double GOAL_NANOS = 100;
    private static final int PLACE = 64;

    private final double part;
    private final int rounds;
    private final Path home = MeasuredProcess.home();
    private final String program =
            home.resolve("madt-native/target/bench/scale").toString();

    /** @param part of the full sizes, for instance 0.01 */
    public ScaleBenchmark(double part, int rounds) {
        this.part = part;
        this.rounds = rounds;
    }

    private long scaled(long count) {
        return Math.max(1, (long) (part * count));
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        List<Load> loads = List.of(
                new Load("live", scaled(1_000_000), true),
                new Load("live", scaled(5_000_000), true),
                new Load("order", scaled(6_000_000), true),
                new Load("random", scaled(6_000_000), true),
                new Load("forks", scaled(1_000), false),
                new Load("execs", scaled(300), false),
                new Load("threads", scaled(2_000), false),
                new Load("mappings", scaled(30_000), false));
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            out.printf(
                    Locale.ROOT,
                    "processor time in seconds; goal: at most 1.5 x heaptrack, at most 3 bytes of"
                            + " trace for each malloc and free%n");
            out.printf(
                    Locale.ROOT,
                    "%-20s %8s %8s %10s %8s %9s %12s%n",
                    "",
                    "alone",
                    "madt",
                    "heaptrack",
                    "ratio",
                    "MiB",
                    "report site");
            for (Load load : loads) {
                row(out, load, folder);
                clear(folder);
            }
        } finally {
            clear(folder);
            Files.delete(folder);
        }
        tables(out);
    }

    private static void clear(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private void row(PrintStream out, Load load, Path folder)
            throws Failure, IOException, InterruptedException {
        String count = Long.toString(load.count);
        Path trace = folder.resolve("scale.madt");
        String madt = home.resolve("madt").toString();
        double alone = seconds(List.of(program, load.name, count));
        double recorded = seconds(List.of(
                madt, "run", "-f", "-o", trace.toString(), "--", program, load.name, count));
        double heaptrack = load.allocates
                ? heaptrack(List.of(
                        "heaptrack",
                        "-o",
                        folder.resolve("heaptrack").toString(),
                        program,
                        load.name,
                        count))
                : 0;
        long bytes = Files.size(trace);
        double report = seconds(List.of(madt, "report", "--by", "site", trace.toString()));
        out.printf(
                Locale.ROOT,
                "%-20s %8.2f %8.2f %10s %8s %9.1f %12.2f%n",
                String.format(Locale.ROOT, "%s %,d", load.name, load.count),
                alone,
                recorded,
                heaptrack == 0 ? "-" : String.format(Locale.ROOT, "%.2f", heaptrack),
                heaptrack == 0 ? "-" : String.format(Locale.ROOT, "%.2f", recorded / heaptrack),
                bytes / 1048576.0,
                report);
    }

    private double seconds(List<String> command) throws Failure, IOException, InterruptedException {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            best = Math.min(best, MeasuredProcess.run(command).seconds());
        }
        return best;
    }

    /** 0 where it is not installed. */
    private double heaptrack(List<String> command) throws Failure, InterruptedException {
        try {
            return seconds(command);
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Blocks of heaps are rows by pages, mappings nodes of red-black trees: the same events in
     * both.
     */
    private void tables(PrintStream out) {
        int blocks = (int) scaled(1_000_000);
        out.printf(
                Locale.ROOT,
                "%nnanoseconds of processor time for each of %,d blocks of random sizes; goal: at"
                        + " most %.0f%n",
                blocks,
                GOAL_NANOS);
        out.printf(Locale.ROOT, "%-20s %10s %10s %10s%n", "", "insertion", "look-up", "end");
        table(out, "rows by pages", blocks, RingEventType.MALLOC, RingEventType.FREE);
        table(out, "red-black trees", blocks, RingEventType.MMAP, RingEventType.MUNMAP);
    }

    private static void table(
            PrintStream out, String name, int blocks, RingEventType birth, RingEventType end) {
        double[] best = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < 3; round++) {
            List<TraceEvent.Allocation> births = new ArrayList<>();
            List<TraceEvent.Allocation> ends = new ArrayList<>();
            events(blocks, birth, end, births, ends);
            BlockTracker tracker = new BlockTracker((from, to) -> {}, BlockKeeper.NOTHING);
            long[] times = {processorTime(), 0, 0, 0};
            births.forEach(tracker::follow);
            times[1] = processorTime();
            ends.forEach(event -> tracker.find(event.old() + 1));
            times[2] = processorTime();
            ends.forEach(tracker::follow);
            times[3] = processorTime();
            for (int i = 0; i < best.length; i++) {
                best[i] = Math.min(best[i], (times[i + 1] - times[i]) / (double) blocks);
            }
        }
        out.printf(Locale.ROOT, "%-20s %10.0f %10.0f %10.0f%n", name, best[0], best[1], best[2]);
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /**
     * Blocks in places that are taken in no order, each in one of its own; their ends in another
     * order.
     */
    private static void events(
            int blocks,
            RingEventType birth,
            RingEventType end,
            List<TraceEvent.Allocation> births,
            List<TraceEvent.Allocation> ends) {
        Random random = new Random(5);
        long place = birth == RingEventType.MMAP ? SharedLayout.PAGE : PLACE;
        long step = 2_654_435_761L;
        for (int i = 0; i < blocks; i++) {
            long address = 0x10_0000_0000L + place * Math.floorMod(step * i, 4L * blocks + 1);
            long size = 1 + random.nextInt((int) place - 1);
            births.add(new TraceEvent.Allocation(
                    birth, 1, 2L * i, address, size, 0, 0, 0x401000 + random.nextInt(9)));
            ends.add(new TraceEvent.Allocation(
                    end,
                    1,
                    2L * i + 1,
                    0,
                    0,
                    address,
                    end == RingEventType.MUNMAP ? size : 0,
                    0x401000));
        }
        Collections.shuffle(ends, random);
    }
}
