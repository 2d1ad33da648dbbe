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
 * the program, beside that of other tools where there are some ({@link OtherPoints}). All in one
 * run; the best round counts.
 */
public final class PointsBenchmark {
    private static final int HITS_PER_REPETITION = 2;
    /** Of so many hits one is logged: the launcher takes longer for each than the program. */
    private static final int LOGGED = 20;

    private static final String THREE = "log reg(rdi) reg(rsi) reg(rdx)";

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();
    private final List<Row> rows = new ArrayList<>();

    /**
     * A line of the table.
     *
     * @param alone the same program alone
     * @param goal of a hit, or nothing
     */
    private record Row(MeasuredHits hits, MeasuredHits alone, String goal) {
        double nanoseconds() {
            return hits.processor() - alone.processor();
        }
    }

    /** @param hits in each round */
    public PointsBenchmark(int hits, int rounds) {
        this.repetitions = Math.max(1, hits / HITS_PER_REPETITION);
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        try (TemporaryTree folder = new TemporaryTree()) {
            OtherPoints others = new OtherPoints(home, folder.path(), repetitions);
            try {
                points(out, folder.path(), others);
            } finally {
                others.end();
            }
        }
    }

    private void points(PrintStream out, Path folder, OtherPoints others)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, "calls");
        MeasuredProgram triggers = new MeasuredProgram(home, "calls_triggers");
        MeasuredHits alone = alone(program);
        MeasuredHits dormant = alone(triggers);
        Path trace = folder.resolve("points.madt");
        all("no hit", "", program, alone, madt(trace, "main", "count"));
        Row count = all("count", "at most 3", program, alone, madt(trace, "leaf", "count"));
        all("time of a call", "at most 14", program, alone, madt(trace, "leaf", "time"));
        List<String> logs = madt(trace, "leaf", THREE);
        Row log = some("log of three values", "at most 25", program, alone, logs);
        unread("the same, read by nobody", program, alone, logs);
        String condition = "reg(rdi) == -7 && reg(rsi) > 1";
        all(
                "the same, refused by --if",
                "",
                program,
                alone,
                madt(trace, "leaf", THREE, "--if", condition));
        all(
                "the same, switched off",
                "",
                program,
                alone,
                madt(trace, "leaf", THREE, "--from", "ctl"));
        some("stack", "", program, alone, madt(trace, "leaf", "stack"));
        String at = "event:leaf";
        all("count at a trigger", "at most 12", triggers, dormant, madt(trace, at, "count"));
        Row event =
                some("log at a trigger", "at most 12", triggers, dormant, madt(trace, at, "log"));
        some(
                "the same with the time",
                "at most 25",
                triggers,
                dormant,
                madt(trace, at, "log elapsed arg0 arg1 arg2"));
        all(
                "a trigger switched off",
                "below 0.5",
                triggers,
                dormant,
                madt(trace, at, "log", "--from", "ctl"));
        Path library = CountingLibrary.build(home);
        if (library != null) {
            all(
                    "call of a function in C",
                    "at most 40",
                    program,
                    alone,
                    madt(trace, "leaf", "call count@" + library));
        }
        for (int i = 0; i < rounds; i++) {
            alone.measure();
            dormant.measure();
            for (Row row : rows) {
                row.hits().measure();
            }
            others.measure();
        }
        if (library != null) {
            Files.delete(library);
        }
        out.println("time of the program, ns for a hit beyond that alone, best of " + rounds);
        for (Row row : rows) {
            String goal = row.goal().isEmpty() ? "" : "goal: " + row.goal();
            out.printf(
                    Locale.ROOT,
                    "%-35s%10.2f   %s%n",
                    "madt, " + row.hits().name(),
                    row.nanoseconds(),
                    goal);
        }
        others.print(out, count.nanoseconds(), log.nanoseconds(), event.nanoseconds());
    }

    private MeasuredHits alone(MeasuredProgram program) {
        return new MeasuredHits("", hits(repetitions), () -> program.alone(repetitions));
    }

    private static long hits(long repetitions) {
        return repetitions * HITS_PER_REPETITION;
    }

    /** Adds a row of as many hits as the user wants. */
    private Row all(
            String name,
            String goal,
            MeasuredProgram program,
            MeasuredHits alone,
            List<String> madt) {
        return add(name, goal, alone, repetitions, () -> program.run(madt, false, repetitions));
    }

    /** Adds a row of fewer hits, of which each makes a record. */
    private Row some(
            String name,
            String goal,
            MeasuredProgram program,
            MeasuredHits alone,
            List<String> madt) {
        int fewer = Math.max(1, repetitions / LOGGED);
        return add(name, goal, alone, fewer, () -> program.run(madt, false, fewer));
    }

    private void unread(
            String name, MeasuredProgram program, MeasuredHits alone, List<String> madt) {
        int fewer = Math.max(1, repetitions / LOGGED);
        add(name, "", alone, fewer, () -> program.run(madt, true, fewer));
    }

    private Row add(
            String name, String goal, MeasuredHits alone, int times, MeasuredHits.Work work) {
        Row row = new Row(new MeasuredHits(name, hits(times), work), alone, goal);
        rows.add(row);
        return row;
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
