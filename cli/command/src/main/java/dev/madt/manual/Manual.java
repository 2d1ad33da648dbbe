package dev.madt.manual;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The texts of {@code --help}, made from the options themselves: 80 columns wide. */
public final class Manual {
    private static final int WIDTH = 80;
    /** Says where the text of an option begins. */
    private static final int COLUMN = 24;

    private static final String REST = "Other options";

    private Manual() {}

    public static String overview(List<Command> commands) {
        StringBuilder text = new StringBuilder(
                "madt: a memory access profiler\n\nusage: madt COMMAND [options] …\n\nCommands:\n");
        for (Command command : commands) {
            row(text, command.name(), command.summary());
        }
        row(text, "help [COMMAND]", "print this help, or that of a command");
        row(text, "help --man [COMMAND]", "print the manual page, or that of a command");
        row(
                text,
                "help --completion SHELL",
                "print the completion of " + String.join(", ", Shell.words()));
        row(text, "--include-dir", "print the folder of the headers, for the compiler's -I");
        row(text, "--version", "print the version");
        return text.append(
                        """

                Examples:
                  madt run -- ls                     record what ls accesses
                  madt report                        count it by variable and heap block
                  madt run --text - -- ls            print each access as it happens
                """)
                .toString();
    }

    public static String of(Command command) {
        StringBuilder text = new StringBuilder(
                "usage: madt " + command.name() + " " + command.arguments() + "\n\n");
        text.append(sentence(command.summary())).append(".\n");
        command.notes().forEach(note -> text.append("  ").append(note).append('\n'));
        sections(command).forEach((title, options) -> section(text, title, options));
        text.append("\nExamples:\n");
        command.examples().forEach(example -> text.append("  ").append(example).append('\n'));
        return text.toString();
    }

    /** The options by the title above them, in the order of the help. */
    static Map<String, List<Option>> sections(Command command) {
        Map<String, Option> left = new LinkedHashMap<>();
        sorted(command).forEach(option -> left.put(option.getKey(), option));
        left.remove("vv"); // -v tells of it
        Map<String, List<Option>> sections = new LinkedHashMap<>();
        for (HelpSection section : command.sections()) {
            sections.put(
                    section.title(),
                    section.options().stream()
                            .map(name -> left.remove(key(command, name)))
                            .toList());
        }
        if (!left.isEmpty()) {
            String title = command.sections().isEmpty() ? "Options" : REST;
            sections.put(title, List.copyOf(left.values()));
        }
        return sections;
    }

    private static String key(Command command, String name) {
        return options(command).getOption(name).getKey();
    }

    private static void section(StringBuilder text, String title, Collection<Option> options) {
        text.append('\n').append(title).append(":\n");
        for (Option option : options) {
            row(
                    text,
                    spelling(option, option.hasArg() ? " " + option.getArgName() : ""),
                    option.getDescription());
        }
    }

    static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1);
    }

    static List<Option> sorted(Command command) {
        return options(command).getOptions().stream()
                .sorted(Comparator.comparing(Manual::key, String.CASE_INSENSITIVE_ORDER))
                .toList();
    }

    /** The options of a command with those that all have. */
    public static Options options(Command command) {
        Options options = command.options();
        options.addOption("h", "help", false, "print this help");
        if (!options.hasLongOption("verbose")) {
            options.addOption(
                    "v", "verbose", false, "print more messages; -vv: stack traces of errors, too");
        }
        options.addOption(Option.builder("vv").desc("the same as -v -v").get());
        return options;
    }

    public static int verbosity(CommandLine line) {
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

    /**
     * The right text is broken where it does not fit; it begins on a line of its own where the left
     * one is too long.
     */
    private static void row(StringBuilder text, String left, String right) {
        StringBuilder line = new StringBuilder("  ").append(left);
        if (line.length() > COLUMN - 2) {
            text.append(line).append('\n');
            line.setLength(0);
        }
        pad(line);
        for (String word : right.split(" ")) {
            if (line.length() > COLUMN && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line.setLength(0);
                pad(line);
            }
            line.append(line.length() > COLUMN ? " " : "").append(word);
        }
        text.append(line).append('\n');
    }

    private static void pad(StringBuilder line) {
        while (line.length() < COLUMN) {
            line.append(' ');
        }
    }
}
