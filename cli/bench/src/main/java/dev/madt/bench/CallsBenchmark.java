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
 * Measures what recorded calls cost: processor time of the program for a call and its return
 * ({@code madt-native/bench/calls.c}), beside a logger written by hand and uftrace; bytes of an
 * event; code while nothing is recorded; switching many functions on. All in one run; of times the
 * best round counts.
 */
public final class CallsBenchmark {
    private static final int CALLS_PER_REPETITION = 3;
    private static final int PAIRS = 30;
    private static final int DORMANT_STEPS = 100_000_000;

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    /** @param calls in each round */
    public CallsBenchmark(int calls, int rounds) {
        this.repetitions = Math.max(1, calls / CALLS_PER_REPETITION);
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        try (TemporaryTree folder = new TemporaryTree()) {
            calls(out, folder.path());
            dormant(out, folder.path().resolve("dormant.madt"));
            many(out, folder.path().resolve("many.madt"));
        }
    }

    private void calls(PrintStream out, Path folder)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, "calls");
        MeasuredProgram logged = new MeasuredProgram(home, "calls_logged");
        Path trace = folder.resolve("calls.madt");
        List<String> uftrace = List.of(
                "uftrace",
                "record",
                "-P.",
                "--no-libcall",
                "-d",
                folder.resolve("uf").toString());
        boolean hasUftrace = InstalledPrograms.has("uftrace");
        MeasuredProgram.Run[] best = new MeasuredProgram.Run[6];
        for (int i = 0; i < rounds; i++) {
            best[0] = program.alone(repetitions).better(best[0]);
            best[1] = logged.alone(repetitions).better(best[1]);
            best[2] = program.run(madt(trace, "none"), false, repetitions).better(best[2]);
            best[3] = program.run(madt(trace, "tsc"), false, repetitions).better(best[3]);
            best[4] = program.run(madt(trace, "tsc"), true, repetitions).better(best[4]);
            if (hasUftrace) {
                best[5] = program.run(uftrace, false, repetitions).better(best[5]);
            }
        }
        program.run(madt(trace, "tsc"), false, repetitions);
        out.println(
                "processor time of the program, ns for a call and its return, best of " + rounds);
        row(out, "alone", best[0], best[0], "");
        row(out, "-finstrument-functions, into memory", best[1], best[0], "");
        row(out, "madt, without time", best[2], best[0], "goal: at most 8 more");
        row(out, "madt, with time", best[3], best[0], "goal: at most 30 more, and the logger's");
        row(out, "madt, with time, read by nobody", best[4], best[0], "");
        if (hasUftrace) {
            row(out, "uftrace -P.", best[5], best[0], "goal: at least 6 times madt's");
        } else {
            out.println("uftrace is not installed: not compared");
        }
        out.printf(
                Locale.ROOT,
                "bytes of an event, with time       %10.2f   goal: at most 4%n",
                Files.size(trace) / (2.0 * calls()));
    }

    private double calls() {
        return (double) repetitions * CALLS_PER_REPETITION;
    }

    private void row(
            PrintStream out,
            String name,
            MeasuredProgram.Run run,
            MeasuredProgram.Run alone,
            String goal) {
        double time = run.processor() / calls();
        out.printf(
                Locale.ROOT,
                "%-35s%10.2f %+10.2f   %s%n",
                name,
                time,
                time - alone.processor() / calls(),
                goal);
    }

    private List<String> madt(Path trace, String clock) {
        return List.of(
                home.resolve("madt").toString(),
                "trace",
                "-q",
                "--time",
                clock,
                "--start",
                "marker",
                "-f",
                "-o",
                trace.toString(),
                "--");
    }

    /** Before the first marker nothing is recorded: the code is the file's, and as fast. */
    private void dormant(PrintStream out, Path trace)
            throws Failure, IOException, InterruptedException {
        List<Double> ratios = new ArrayList<>();
        long[] last = {};
        for (int i = 0; i < PAIRS; i++) {
            long[] alone = said(List.of(), "calls_dormant", DORMANT_STEPS);
            last = said(madt(trace, "tsc"), "calls_dormant", DORMANT_STEPS);
            ratios.add((double) last[2] / alone[2]);
        }
        ratios.sort(Comparator.naturalOrder());
        out.printf(
                Locale.ROOT,
                "dormant: %,d of %,d executable bytes differ from the files   goal: 0%n",
                last[1],
                last[0]);
        out.printf(
                Locale.ROOT,
                "dormant: time of %d pairs, %.4f of alone (median), slower in %d%n",
                PAIRS,
                ratios.get(PAIRS / 2),
                ratios.stream().filter(ratio -> ratio > 1).count());
    }

    private void many(PrintStream out, Path trace)
            throws Failure, IOException, InterruptedException {
        long[] best = {};
        for (int i = 0; i < rounds + 1; i++) { // the first one makes the plan
            long[] said = said(madt(trace, "tsc"), "calls_many", 1);
            best = best.length == 0 || said[1] < best[1] ? said : best;
        }
        out.printf(
                Locale.ROOT,
                "switching on %,d functions, of libc too: %.2f ms   goal: at most 2%n",
                best[0],
                best[1] / 1e6);
    }

    private long[] said(List<String> tool, String program, int count)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(tool);
        words.add(new MeasuredProgram(home, program).file().toString());
        words.add(Integer.toString(count));
        return Stream.of(MeasuredProcess.output(words).strip().split(" "))
                .limit(3)
                .mapToLong(Long::parseUnsignedLong)
                .toArray();
    }
}
