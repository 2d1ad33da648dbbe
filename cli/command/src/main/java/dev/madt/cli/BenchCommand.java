package dev.madt.cli;

import dev.madt.bench.AttachBenchmark;
import dev.madt.bench.BuildBenchmark;
import dev.madt.bench.CallsBenchmark;
import dev.madt.bench.ChainsBenchmark;
import dev.madt.bench.EnginesBenchmark;
import dev.madt.bench.LocksBenchmark;
import dev.madt.bench.MemoryBenchmark;
import dev.madt.bench.PaperBenchmark;
import dev.madt.bench.PipelineBenchmark;
import dev.madt.bench.PointsBenchmark;
import dev.madt.bench.ReadingBenchmark;
import dev.madt.bench.ScaleBenchmark;
import dev.madt.bench.StartsBenchmark;
import dev.madt.bench.SyscallsBenchmark;
import dev.madt.bench.TrapBenchmark;
import dev.madt.bench.TrapsBenchmark;
import dev.madt.bench.ViewsBenchmark;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.natives.NativeFiles;
import java.io.IOException;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt bench NAME}: benchmarks that compare figures taken in one run on one machine. */
final class BenchCommand implements Command {
    private static final List<String> NAMES = List.of(
            "trap",
            "traps",
            "engines",
            "paper",
            "pipeline",
            "views",
            "reading",
            "memory",
            "scale",
            "syscalls",
            "start",
            "build",
            "calls",
            "chains",
            "points",
            "locks",
            "attach");
    private static final String ACCESSES = "accesses";
    private static final String ROUNDS = "rounds";

    /** Returns whether the benchmarks, which packages leave out, are on the class path. */
    static boolean isThere() {
        try {
            Class.forName("dev.madt.bench.TrapBenchmark", false, Main.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String arguments() {
        return "[options] NAME";
    }

    @Override
    public String summary() {
        return "measure MadT on this machine";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder()
                        .longOpt(ACCESSES)
                        .hasArg()
                        .argName("N")
                        .desc("accesses in each round (trap 50000, engines 60000000,"
                                + " pipeline 8000000, views and reading 100000000,"
                                + " memory 1000000000; scale 6000000: blocks of its"
                                + " largest program; syscalls 20000; build 200: C files;"
                                + " calls 30000000: calls)")
                        .get())
                .addOption(Option.builder()
                        .longOpt(ROUNDS)
                        .hasArg()
                        .argName("N")
                        .desc("rounds (trap 7, engines 3, paper 2, pipeline 9, views,"
                                + " reading, scale, start, syscalls and calls 3, build 1,"
                                + " attach 7)")
                        .get());
    }

    @Override
    public List<String> notes() {
        return List.of(
                "trap      the engine against its bare kernel operations",
                "traps     traps in the patches of splice, on programs that others wrote",
                "engines   splice against Lackey",
                "paper     the form of the paper's table IV",
                "pipeline  collecting, encoding and decoding against zstd alone, then reading",
                "views     reports and heatmaps against unpacking alone",
                "reading   lines and reports against cat and Lackey, then of sqlite3",
                "memory    a long trace against a short one",
                "scale     many blocks, processes, threads and mappings against heaptrack",
                "syscalls  system calls, recorded and not",
                "start     programs that others wrote, until they have done next to nothing",
                "build     a build of many small files, recorded and not",
                "calls     calls, recorded and not, against a logger and uftrace",
                "attach    how long a process stands still, against gdb and heaptrack");
    }

    @Override
    public Operands operands() {
        return Operands.oneOf(NAMES);
    }

    @Override
    public List<String> examples() {
        return List.of("madt bench trap", "madt bench --rounds 1 engines");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        if (NativeFiles.packaged()) {
            throw new Failure(
                    Status.FAILED,
                    "the benchmarks need programs that only the sources of MadT have: run ./madt"
                            + " bench there.");
        }
        switch (line.getArgList().size() == 1 ? line.getArgList().get(0) : "") {
            case "trap" ->
                new TrapBenchmark(positive(line, ACCESSES, 50_000), positive(line, ROUNDS, 7))
                        .run(System.out);
            case "traps" -> new TrapsBenchmark().run(System.out);
            case "engines" ->
                new EnginesBenchmark(
                                positive(line, ACCESSES, 60_000_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "paper" -> new PaperBenchmark(positive(line, ROUNDS, 2)).run(System.out);
            case "pipeline" -> {
                new PipelineBenchmark(
                                positive(line, ACCESSES, 8_000_000), positive(line, ROUNDS, 9))
                        .run(System.out);
                System.out.println();
                reading(line);
            }
            case "views" ->
                new ViewsBenchmark(positive(line, ACCESSES, 100_000_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "reading" -> reading(line);
            case "memory" ->
                new MemoryBenchmark(positive(line, ACCESSES, 1_000_000_000)).run(System.out);
            case "scale" ->
                new ScaleBenchmark(
                                positive(line, ACCESSES, 6_000_000) / 6e6,
                                positive(line, ROUNDS, 3))
                        .run(System.out);
            case "syscalls" ->
                new SyscallsBenchmark(positive(line, ACCESSES, 20_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "start" -> new StartsBenchmark(positive(line, ROUNDS, 3)).run(System.out);
            case "build" ->
                new BuildBenchmark(positive(line, ACCESSES, 200), positive(line, ROUNDS, 1))
                        .run(System.out);
            case "calls" ->
                new CallsBenchmark(positive(line, ACCESSES, 30_000_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "chains" ->
                new ChainsBenchmark(positive(line, ACCESSES, 20_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "points" ->
                new PointsBenchmark(positive(line, ACCESSES, 20_000_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "locks" ->
                new LocksBenchmark(positive(line, ACCESSES, 1_000_000), positive(line, ROUNDS, 3))
                        .run(System.out);
            case "attach" -> new AttachBenchmark(positive(line, ROUNDS, 7)).run(System.out);
            default ->
                throw new Failure(
                        Status.USAGE,
                        "no such benchmark. Usage: madt bench " + arguments() + "; NAME is: "
                                + String.join(", ", NAMES));
        }
        return Status.DONE;
    }

    private static void reading(CommandLine line)
            throws Failure, IOException, InterruptedException {
        new ReadingBenchmark(positive(line, ACCESSES, 100_000_000), positive(line, ROUNDS, 3))
                .run(System.out);
    }

    private static int positive(CommandLine line, String option, int otherwise) throws Failure {
        String text = line.getOptionValue(option, Integer.toString(otherwise));
        try {
            int value = Integer.parseInt(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // falls through to the sentence below
        }
        throw new Failure(
                Status.USAGE, "--" + option + " is a whole number above 0, not '" + text + "'.");
    }
}
