package dev.madt.cli;

import java.io.IOException;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt bench NAME}: benchmarks that compare figures taken in one run on one machine. */
final class BenchCommand implements Command {
    private static final String ACCESSES = "accesses";
    private static final String ROUNDS = "rounds";

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
        return "measure MadT on this machine; NAME: trap (the engine against its bare kernel operations)";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder().longOpt(ACCESSES).hasArg().argName("N").desc("accesses per round (50000)").get())
                .addOption(Option.builder().longOpt(ROUNDS).hasArg().argName("N").desc("rounds (7)").get());
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException, InterruptedException {
        if (line.getArgList().size() != 1 || !line.getArgList().get(0).equals("trap")) {
            throw new Failure(Status.USAGE, "no such benchmark. Usage: madt bench " + arguments() + "; NAME is: trap");
        }
        int accesses = positive(line, ACCESSES, 50_000);
        int rounds = positive(line, ROUNDS, 7);
        new TrapBenchmark(accesses, rounds).run(System.out);
        return Status.DONE;
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
        throw new Failure(Status.USAGE, "--" + option + " is a whole number above 0, not '" + text + "'.");
    }
}
