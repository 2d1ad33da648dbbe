package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures what a hit of an instrument costs ({@code madt-native/bench/calls.c}): processor time of
 * the program, beside a breakpoint of gdb's that goes on, and uftrace where there is one. All in
 * one run; the best round counts.
 */
public final class PointsBenchmark {
    private static final int HITS_PER_REPETITION = 2;
    /** Of so many hits one is logged: the launcher takes longer for each than the program. */
    private static final int LOGGED = 20;
    /** A breakpoint takes that much longer. */
    private static final int SLOWER = 10_000;

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    /** @param hits in each round */
    public PointsBenchmark(int hits, int rounds) {
        this.repetitions = Math.max(1, hits / HITS_PER_REPETITION);
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path trace = Files.createTempFile("madt-bench", ".madt");
        try {
            points(out, trace);
        } finally {
            Files.delete(trace);
        }
    }

    private void points(PrintStream out, Path trace)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, "calls");
        MeasuredProgram triggers = new MeasuredProgram(home, "calls_triggers");
        String three = "log reg(rdi) reg(rsi) reg(rdx)";
        int some = Math.max(1, repetitions / LOGGED);
        int few = Math.max(1, repetitions / SLOWER);
        List<String> gdb = List.of(
                "gdb",
                "-q",
                "-batch",
                "-nx",
                "-ex",
                "break leaf",
                "-ex",
                "ignore 1 1000000000",
                "-ex",
                "run",
                "--args");
        Path library = CountingLibrary.build(home);
        String call = "call count@" + library;
        MeasuredProgram.Run[] best = new MeasuredProgram.Run[14];
        for (int i = 0; i < rounds; i++) {
            best[0] = program.alone(repetitions).better(best[0]);
            best[1] = program.run(madt(trace, "main", "count"), false, repetitions)
                    .better(best[1]);
            best[2] = program.run(madt(trace, "leaf", "count"), false, repetitions)
                    .better(best[2]);
            best[3] = program.run(madt(trace, "leaf", three), false, some).better(best[3]);
            best[4] = program.run(madt(trace, "leaf", three), true, some).better(best[4]);
            best[6] = program.run(
                            madt(trace, "leaf", three, "--if", "reg(rdi) == -7 && reg(rsi) > 1"),
                            false,
                            repetitions)
                    .better(best[6]);
            best[7] = program.run(madt(trace, "leaf", three, "--from", "ctl"), false, repetitions)
                    .better(best[7]);
            best[9] = program.run(madt(trace, "leaf", "stack"), false, some).better(best[9]);
            best[10] = triggers.alone(repetitions).better(best[10]);
            best[11] = triggers.run(madt(trace, "event:leaf", "count"), false, repetitions)
                    .better(best[11]);
            best[12] =
                    triggers.run(madt(trace, "event:leaf", "log"), false, some).better(best[12]);
            best[13] = triggers.run(
                            madt(trace, "event:leaf", "log", "--from", "ctl"), false, repetitions)
                    .better(best[13]);
            if (library != null) {
                best[8] = program.run(madt(trace, "leaf", call), false, repetitions)
                        .better(best[8]);
            }
            if (InstalledPrograms.has("gdb")) {
                best[5] = program.run(gdb, false, few).better(best[5]);
            }
        }
        out.println("time of the program, ns for a hit beyond that alone, best of " + rounds);
        row(out, "madt, no hit", best[1], best[0], repetitions, "");
        double count = row(out, "madt, count", best[2], best[0], repetitions, "goal: at most 3");
        double log =
                row(out, "madt, log of three values", best[3], best[0], some, "goal: at most 25");
        row(out, "madt, the same, read by nobody", best[4], best[0], some, "");
        row(out, "madt, the same, refused by --if", best[6], best[0], repetitions, "");
        row(out, "madt, the same, switched off", best[7], best[0], repetitions, "");
        row(out, "madt, stack", best[9], best[0], some, "");
        row(out, "madt, count at a trigger", best[11], best[10], repetitions, "goal: at most 12");
        row(out, "madt, log at a trigger", best[12], best[10], some, "goal: at most 12");
        row(
                out,
                "madt, a trigger switched off",
                best[13],
                best[10],
                repetitions,
                "goal: below 0.5");
        if (best[8] != null) {
            row(
                    out,
                    "madt, call of a function in C",
                    best[8],
                    best[0],
                    repetitions,
                    "goal: at most 40");
            Files.delete(library);
        }
        if (best[5] == null) {
            out.println("gdb is not installed: not compared");
            return;
        }
        double each = best[5].time() / (double) (few * HITS_PER_REPETITION);
        out.printf(
                Locale.ROOT,
                "%-35s%10.0f   %.0f times count, %.0f times log%n",
                "gdb, a breakpoint that goes on",
                each,
                each / count,
                each / log);
    }

    private double row(
            PrintStream out,
            String name,
            MeasuredProgram.Run run,
            MeasuredProgram.Run alone,
            long times,
            String goal) {
        double time = run.processor() / ((double) times * HITS_PER_REPETITION)
                - alone.processor() / ((double) repetitions * HITS_PER_REPETITION);
        out.printf(Locale.ROOT, "%-35s%10.2f   %s%n", name, time, goal);
        return Math.max(time, 0.1);
    }

    private List<String> madt(Path trace, String place, String action, String... more) {
        List<String> words = new ArrayList<>(List.of(home.resolve("madt").toString(), "run", "-q"));
        words.addAll(List.of("--start", "marker", "-f", "-o", trace.toString()));
        words.addAll(List.of("--at", place, action));
        words.addAll(List.of(more));
        words.add("--");
        return words;
    }
}
