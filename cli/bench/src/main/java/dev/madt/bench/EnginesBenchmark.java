package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.session.Engine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures what an access costs with engine {@code splice}, beyond the program's own time: the
 * collector discarding, and to a finished trace file; beside Valgrind's Lackey with its lines to
 * /dev/null. Then how the sites are reached, and what a start costs.
 */
public final class EnginesBenchmark {
    /**
     * Programs, what they stand for, and accesses of one repetition, which fix how many repetitions
     * are made.
     */
    private record Case(String name, String kind, long accesses) {}

    private static final List<Case> CASES = List.of(
            new Case("engine_stream", "memory-bound", 3_000_000),
            new Case("engine_bodies", "compute-bound", 40_900),
            new Case("engine_chase", "pointer-chasing", 16_384),
            new Case("engine_trees", "allocating", 957_000),
            new Case("engine_words", "string", 1_434_000),
            new Case("engine_sort", "branchy", 3_278_000));
    /** Lackey takes about 500 times as long. */
    private static final int LACKEY_SHARE = 60;

    private final long accesses;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public EnginesBenchmark(long accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            head(out);
            for (Case one : CASES) {
                measure(out, one, folder.resolve("bench.madt"));
            }
            new PlanFigures(home, folder)
                    .print(out, CASES.stream().map(Case::name).toList());
            new StartBenchmark(home, folder, rounds).print(out);
        } finally {
            for (String name : List.of("bench.madt", "plan")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    private void head(PrintStream out) {
        out.printf(
                Locale.ROOT,
                """
                Engine splice; ns per access beyond the program's own time, best of %d rounds \
                (trace files and Lackey: one). clock: by the
                clock; cpu: user and system time of the program; done: by the clock, until the \
                trace file is complete; x: how many times as
                long Lackey takes for the same work, its lines to /dev/null (it runs 1/%d of the \
                repetitions).
                Goals: discarding, clock 3.0 and 300 x; to a trace file with --stack, done 4.0 and \
                200 x; trapped 0.1 %%.

                """,
                rounds,
                LACKEY_SHARE);
        out.printf(
                Locale.ROOT,
                "%-15s %12s %7s | %-20s | %-27s | %-36s | %7s %9s%n",
                "",
                "",
                "native",
                "collector discards",
                "to a trace file",
                "to a trace file, --stack",
                "Lackey",
                "accesses");
        out.printf(
                Locale.ROOT,
                "%-15s %12s %7s | %6s %6s %6s | %6s %6s %6s %6s | %12s %8s %6s %7s | %7s %9s%n",
                "",
                "accesses",
                "ns",
                "clock",
                "cpu",
                "x",
                "done",
                "cpu",
                "x",
                "bytes",
                "accesses",
                "done",
                "x",
                "bytes",
                "ns",
                "trapped");
    }

    private void measure(PrintStream out, Case one, Path trace)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, one.name());
        long repetitions = Math.max(1, (accesses + one.accesses() - 1) / one.accesses());
        MeasuredProgram.Run alone = null;
        MeasuredProgram.Run discarded = null;
        for (int i = 0; i < rounds; i++) {
            alone = program.alone(repetitions).better(alone);
            discarded = program.discarded(Engine.SPLICE, trace, repetitions).better(discarded);
        }
        MeasuredProgram.Run recorded = program.recorded(Engine.SPLICE, trace, repetitions);
        double bytes = (double) Files.size(trace) / recorded.accesses();
        double trapped = 100.0 * TraceMeta.of(trace).number("patch_traps") / recorded.accesses();
        MeasuredProgram.Run stack = program.recordedWithStack(Engine.SPLICE, trace, repetitions);
        long few = Math.max(1, repetitions / LACKEY_SHARE);
        double lackey = (double) program.lackey(few).time() * repetitions / few - alone.time();
        long all = recorded.accesses();
        out.printf(
                Locale.ROOT,
                "%-15s %,12d %7.2f | %6.2f %6.2f %6.0f | %6.2f %6.2f %6.0f %6.3f",
                one.kind(),
                all,
                perAccess(alone.time(), 0, all),
                perAccess(discarded.time(), alone.time(), all),
                perAccess(discarded.processor(), alone.processor(), all),
                lackey / (discarded.time() - alone.time()),
                perAccess(recorded.finished(), alone.time(), all),
                perAccess(recorded.processor(), alone.processor(), all),
                lackey / (recorded.finished() - alone.time()),
                bytes);
        out.printf(
                Locale.ROOT,
                " | %,12d %8.2f %6.0f %7.3f | %7.0f %7.4f %%%n",
                stack.accesses(),
                perAccess(stack.finished(), alone.time(), stack.accesses()),
                lackey / (stack.finished() - alone.time()),
                (double) Files.size(trace) / stack.accesses(),
                lackey / all,
                trapped);
    }

    private static double perAccess(long with, long without, long accesses) {
        return (double) (with - without) / Math.max(1, accesses);
    }
}
