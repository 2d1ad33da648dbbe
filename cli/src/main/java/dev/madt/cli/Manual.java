package dev.madt.cli;

import java.util.Comparator;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The texts of {@code --help}, made from the options themselves. */
final class Manual {
    private static final int COLUMN = 32;

    private Manual() {}

    static String overview(List<Command> commands) {
        StringBuilder text = new StringBuilder("madt: a memory access profiler\n\nusage: madt COMMAND [options] …\n\n");
        for (Command command : commands) {
            row(text, command.name() + " " + command.arguments(), command.summary());
        }
        row(text, "help [COMMAND | --man]", "this text, a command's, or the manual page");
        row(text, "--help, --version", "this text, the version");
        return text.append("\n'madt help COMMAND' tells more. A first try: madt run --text - -- ls\n").toString();
    }

    static String of(Command command) {
        StringBuilder text = new StringBuilder("usage: madt " + command.name() + " " + command.arguments() + "\n"
                + command.summary() + "\n\n");
        for (Option option : sorted(command)) {
            row(text, spelling(option, option.hasArg() ? " " + option.getArgName() : ""), option.getDescription());
        }
        return text.toString();
    }

    static List<Option> sorted(Command command) {
        return options(command).getOptions().stream()
                .sorted(Comparator.comparing(Manual::key, String.CASE_INSENSITIVE_ORDER)).toList();
    }

    /** The options of a command with those that all have. */
    static Options options(Command command) {
        Options options = command.options();
        options.addOption("h", "help", false, "this text");
        if (!options.hasLongOption("verbose")) {
            options.addOption("v", "verbose", false, "more talk; -vv: stack traces of errors too");
        }
        options.addOption(Option.builder("vv").desc("as -v -v").get());
        return options;
    }

    static int verbosity(CommandLine line) {
        int level = line.hasOption("vv") ? 2 : 0;
        for (Option option : line.getOptions()) {
            level += "v".equals(option.getOpt()) ? 1 : 0;
        }
        return level;
    }

    private static String key(Option option) {
        return option.getOpt() != null ? option.getOpt() : option.getLongOpt();
    }

    static String spelling(Option option, String argument) {
        String letter = option.getOpt() == null ? "" : "-" + option.getOpt();
        String word = option.hasLongOpt() ? "--" + option.getLongOpt() : "";
        return letter + (letter.isEmpty() || word.isEmpty() ? "" : ", ") + word + argument;
    }

    private static void row(StringBuilder text, String left, String right) {
        text.append("  ").append(left);
        for (int i = left.length(); i < COLUMN; i++) {
            text.append(' ');
        }
        text.append(left.length() >= COLUMN ? "  " : "").append(right).append('\n');
    }
}
