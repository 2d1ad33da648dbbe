package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.view.NamePattern;
import dev.madt.view.Selection;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options by which {@code madt print} selects lines. */
final class PrintSelection {
    private static final String[] NAMES = {"symbol", "function", "kind", "thread", "page", "from", "count"};

    private PrintSelection() {}

    static Options addTo(Options options) {
        return options
                .addOption(option("symbol", "NAME", "only this variable, block (<malloc0013@f+45>) or the blocks of a"
                        + " call (<malloc@f+45>); * and ? stand for any text"))
                .addOption(option("function", "NAME", "only events in this function; * and ? stand for any text"))
                .addOption(option("kind", "KINDS", "only these kinds: load, store, access, block, allocation, or letters such as L,S,YWG"))
                .addOption(option("thread", "TID", "only this thread"))
                .addOption(option("page", "ADDRESS", "only the page of 4 KiB that holds this address"))
                .addOption(option("from", "N", "begin at access number N"))
                .addOption(option("count", "N", "print at most N lines"));
    }

    private static Option option(String name, String argument, String text) {
        return Option.builder().longOpt(name).hasArg().argName(argument).desc(text).get();
    }

    static boolean given(CommandLine line) {
        for (String name : NAMES) {
            if (line.hasOption(name)) {
                return true;
            }
        }
        return false;
    }

    static Selection of(CommandLine line) throws Failure {
        String kinds = line.getOptionValue("kind");
        return new Selection(pattern(line, "symbol"), pattern(line, "function"), kinds == null ? null : LineKinds.letters(kinds),
                Choice.number(line, "thread", 0, -1), address(line), Choice.number(line, "from", 0, 0),
                Choice.number(line, "count", 1, -1));
    }

    private static NamePattern pattern(CommandLine line, String option) {
        String text = line.getOptionValue(option);
        return text == null ? null : new NamePattern(text);
    }

    private static long address(CommandLine line) throws Failure {
        String text = line.getOptionValue("page");
        if (text == null) {
            return -1;
        }
        try {
            return Long.parseLong(text.startsWith("0x") ? text.substring(2) : text, 16);
        } catch (NumberFormatException e) {
            throw new Failure(Status.USAGE, "--page is an address in hexadecimal, for instance 0x555555559000, not '" + text + "'.");
        }
    }
}
