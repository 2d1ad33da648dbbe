package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** The benchmarks of {@code madt bench}. */
public enum Benchmark {
    TRAP(
            "the engine against its bare operations",
            50_000,
            7,
            (accesses, rounds, out) -> new TrapBenchmark(accesses, rounds).run(out)),
    TRAPS(
            "traps of splice in programs of others",
            0,
            0,
            (accesses, rounds, out) -> new TrapsBenchmark().run(out)),
    ENGINES("splice against Lackey", 60_000_000, 3, (accesses, rounds, out) -> new EnginesBenchmark(
                    accesses, rounds)
            .run(out)),
    PAPER("the form of the paper's table IV", 0, 2, (accesses, rounds, out) -> new PaperBenchmark(
                    rounds)
            .run(out)),
    PIPELINE("collecting and coding against zstd; reading", 8_000_000, 9, Benchmark::pipeline),
    VIEWS(
            "views against unpacking alone",
            100_000_000,
            3,
            (accesses, rounds, out) -> new ViewsBenchmark(accesses, rounds).run(out)),
    READING(
            "lines and reports against cat and Lackey",
            100_000_000,
            3,
            (accesses, rounds, out) -> new ReadingBenchmark(accesses, rounds).run(out)),
    SQL(
            "questions about a trace, its Parquet, its csv",
            40_000_000,
            3,
            (accesses, rounds, out) -> new SqlBenchmark(accesses, rounds).run(out)),
    MEMORY(
            "a long trace against a short one",
            1_000_000_000,
            0,
            (accesses, rounds, out) -> new MemoryBenchmark(accesses).run(out)),
    SCALE(
            "blocks, processes, threads; heaptrack",
            6_000_000,
            3,
            (accesses, rounds, out) -> new ScaleBenchmark(accesses / 6e6, rounds).run(out)),
    SYSCALLS(
            "system calls, recorded and not",
            20_000,
            3,
            (accesses, rounds, out) -> new SyscallsBenchmark(accesses, rounds).run(out)),
    START(
            "starts of programs that others wrote",
            0,
            3,
            (accesses, rounds, out) -> new StartsBenchmark(rounds).run(out)),
    BUILD(
            "a build of N files of C, recorded and not",
            200,
            1,
            (accesses, rounds, out) -> new BuildBenchmark(accesses, rounds).run(out)),
    CALLS(
            "calls, against a logger and uftrace",
            30_000_000,
            3,
            (accesses, rounds, out) -> new CallsBenchmark(accesses, rounds).run(out)),
    CHAINS(
            "chains of allocations, against heaptrack",
            20_000,
            3,
            (accesses, rounds, out) -> new ChainsBenchmark(accesses, rounds).run(out)),
    POINTS(
            "hits of instruments, against others",
            20_000_000,
            3,
            (accesses, rounds, out) -> new PointsBenchmark(accesses, rounds).run(out)),
    LOCKS(
            "locks, races and sharing, against others",
            1_000_000,
            3,
            (accesses, rounds, out) -> new LocksBenchmark(accesses, rounds).run(out)),
    ATTACH("how long a process stands still", 0, 7, (accesses, rounds, out) -> new AttachBenchmark(
                    rounds)
            .run(out));

    /** A benchmark, with numbers that it has no use for left out. */
    private interface Body {
        void run(int accesses, int rounds, PrintStream out)
                throws Failure, IOException, InterruptedException;
    }

    private final String measures;
    private final int accesses;
    private final int rounds;
    private final Body body;

    Benchmark(String measures, int accesses, int rounds, Body body) {
        this.measures = measures;
        this.accesses = accesses;
        this.rounds = rounds;
        this.body = body;
    }

    /** Returns its line of the help: its name, what it measures, and its own numbers. */
    public String help() {
        return String.format(Locale.ROOT, "%-9s %s", this, measures)
                + (accesses == 0 ? "" : ", N " + accesses)
                + (rounds == 0 ? "" : rounds == 1 ? ", 1 round" : ", " + rounds + " rounds");
    }

    /** Returns accesses, or what else it repeats, in a round; 0: it has none. */
    public int accesses() {
        return accesses;
    }

    /** Returns how often it measures; 0: once. */
    public int rounds() {
        return rounds;
    }

    public void run(int times, int often, PrintStream out)
            throws Failure, IOException, InterruptedException {
        body.run(times, often, out);
    }

    private static void pipeline(int accesses, int rounds, PrintStream out)
            throws Failure, IOException, InterruptedException {
        new PipelineBenchmark(accesses, rounds).run(out);
        out.println();
        new ReadingBenchmark(accesses * 12L, (rounds + 2) / 3).run(out);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
