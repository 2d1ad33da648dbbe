package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.trace.file.TraceEnds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Measures on {@code xz -T4} how many accesses {@code madt races} and {@code madt sharing} judge in
 * a second of processor time, each in a process of its own, its start included; and how much longer
 * than alone xz takes by the clock while it is recorded, and under helgrind. The fastest round
 * counts.
 */
final class RecordedSharing {
    private static final String PROGRAM = "xz";
    /** About so many accesses for each number that xz packs. */
    private static final long ACCESSES_PER_NUMBER = 530;

    private static final double ACCESSES_GOAL = 5e6;
    private static final int PEAK_GOAL = 1024;
    private static final double NANOS = 1e9;

    private final String madt;
    private final Path trace;
    private final Path numbers;
    private final int rounds;

    /** @param folder for files, which are gone behind {@link #run} */
    RecordedSharing(String madt, Path folder, int rounds) {
        this.madt = madt;
        this.trace = folder.resolve("xz.madt");
        this.numbers = folder.resolve("numbers");
        this.rounds = rounds;
    }

    /** Measures on a trace of about so many accesses; says so where xz is not installed. */
    void run(PrintStream out, long accesses) throws Failure, IOException, InterruptedException {
        if (!InstalledPrograms.has(PROGRAM)) {
            out.println("xz is not there. Install it with: sudo apt-get install -y xz-utils");
            return;
        }
        try {
            Files.writeString(
                    numbers,
                    LongStream.rangeClosed(1, Math.max(1, accesses / ACCESSES_PER_NUMBER))
                            .mapToObj(Long::toString)
                            .collect(Collectors.joining("\n")));
            double alone = seconds(List.of());
            double recorded = seconds(List.of(
                    madt,
                    "run",
                    "-qf",
                    "--record",
                    "accesses,locks",
                    "-o",
                    trace.toString(),
                    "--"));
            long counted = TraceEnds.read(trace).index().accesses();
            out.printf(
                    Locale.ROOT,
                    "%nxz -T4, %,d accesses; goals: %,.0f accesses/s, at most %d MiB%n",
                    counted,
                    ACCESSES_GOAL,
                    PEAK_GOAL);
            out.printf(Locale.ROOT, "%-16s %14s %10s%n", "", "per second", "peak MiB");
            for (String view : List.of("races", "sharing")) {
                MeasuredProcess.best(rounds, List.of(madt, view, trace.toString()))
                        .row(out, view, counted);
            }
            out.printf(Locale.ROOT, "%-16s %14.2f s%n", "alone", alone);
            slower(out, "recorded", recorded, alone);
            if (InstalledPrograms.has("valgrind")) {
                slower(
                        out,
                        "helgrind",
                        seconds(List.of("valgrind", "-q", "--tool=helgrind")),
                        alone);
            }
        } finally {
            Files.deleteIfExists(trace);
            Files.deleteIfExists(numbers);
        }
    }

    private static void slower(PrintStream out, String what, double seconds, double alone) {
        out.printf(
                Locale.ROOT,
                "%-16s %14.2f s %,8.0f times%n",
                what,
                seconds,
                seconds / Math.max(alone, 0.001));
    }

    /** Returns how long xz takes by the clock, behind words of another tool. */
    private double seconds(List<String> tool) throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(tool);
        words.addAll(List.of(PROGRAM, "-T4", "-0", "--block-size=65536", "-k", "-c"));
        words.add(numbers.toString());
        double best = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            long begin = System.nanoTime();
            MeasuredProcess.run(words);
            best = Math.min(best, (System.nanoTime() - begin) / NANOS);
        }
        return best;
    }
}
