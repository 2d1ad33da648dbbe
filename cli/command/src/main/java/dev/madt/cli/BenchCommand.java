package dev.madt.cli;

import dev.madt.bench.Benchmark;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.natives.NativeFiles;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt bench NAME}: benchmarks that compare figures taken in one run on one machine. */
final class BenchCommand implements Command {
    private static final String ACCESSES = "accesses";
    private static final String ROUNDS = "rounds";

    /** Returns whether the benchmarks, which packages leave out, are on the class path. */
    static boolean isThere() {
        try {
            Class.forName("dev.madt.bench.Benchmark", false, Main.class.getClassLoader());
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
                        .desc("accesses, calls … in each round; the number behind a name above")
                        .get())
                .addOption(Option.builder()
                        .longOpt(ROUNDS)
                        .hasArg()
                        .argName("N")
                        .desc("rounds; the other number behind a name")
                        .get());
    }

    @Override
    public List<String> notes() {
        return Stream.of(Benchmark.values()).map(Benchmark::help).toList();
    }

    @Override
    public Operands operands() {
        return Operands.oneOf(names());
    }

    private static List<String> names() {
        return Stream.of(Benchmark.values()).map(Benchmark::toString).toList();
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
        String name = line.getArgList().size() == 1 ? line.getArgList().get(0) : "";
        Benchmark benchmark = Stream.of(Benchmark.values())
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new Failure(
                        Status.USAGE,
                        "no such benchmark. Usage: madt bench " + arguments() + "; NAME is: "
                                + String.join(", ", names())));
        benchmark.run(
                positive(line, ACCESSES, benchmark.accesses()),
                positive(line, ROUNDS, benchmark.rounds()),
                System.out);
        return Status.DONE;
    }

    /** @param otherwise what counts without the option; 0: the benchmark has no use for it */
    private static int positive(CommandLine line, String option, int otherwise) throws Failure {
        String text = line.getOptionValue(option);
        if (text == null) {
            return otherwise;
        }
        if (otherwise == 0) {
            throw new Failure(
                    Status.USAGE,
                    "madt bench " + line.getArgList().get(0) + " has no --" + option + ".");
        }
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
