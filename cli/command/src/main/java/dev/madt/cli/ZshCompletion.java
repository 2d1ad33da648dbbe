package dev.madt.cli;

import dev.madt.cli.Shell.CompletedOption;
import dev.madt.console.Operands;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes what {@code completion.zsh} leaves open: specifications for {@code _arguments}, see
 * zshcompsys(1).
 */
final class ZshCompletion {
    private ZshCompletion() {}

    static String fill(String frame, List<Command> commands) {
        StringBuilder list = new StringBuilder();
        StringBuilder cases = new StringBuilder();
        for (Command command : commands) {
            list.append("\t\t")
                    .append(quoted(command.name() + ":" + command.summary()))
                    .append('\n');
            cases.append("\t").append(command.name()).append(")\n\t\t_arguments -s -S");
            if (command.stopsAtArgument()) {
                cases.append(" -A '-*'");
            }
            CompletedOption.of(command)
                    .forEach(option -> cases.append(" \\\n\t\t\t").append(specification(option)));
            cases.append(operand(command.operands())).append("\n\t\t;;\n");
        }
        return frame.replace("@COMMANDS@\n", list)
                .replace("@SHELLS@", String.join(" ", Shell.words()))
                .replace("@CASES@\n", cases);
    }

    /** An option may stand several times: some count how often. */
    private static String specification(CompletedOption option) {
        String action = option.takesFile()
                ? "_files"
                : option.words().isEmpty() ? " " : "(" + String.join(" ", option.words()) + ")";
        String tail = quoted("[" + plain(option.text()) + "]"
                + (option.takesValue() ? ":" + option.argument() + ":" + action : ""));
        return option.spellings().stream()
                .map(form -> "'*'" + form
                        + (option.takesValue() ? form.startsWith("--") ? "=" : "+" : "") + tail)
                .collect(Collectors.joining(" \\\n\t\t\t"));
    }

    private static String operand(Operands operands) {
        return switch (operands.kind()) {
            case TRACE -> " \\\n\t\t\t'*:trace:_files -g \"*.madt(-.)\"'";
            case PROGRAM ->
                " \\\n\t\t\t'(-)1:program:_command_names -e' \\\n\t\t\t'*::arguments:_normal'";
            case WORD -> " \\\n\t\t\t'1:name:(" + String.join(" ", operands.words()) + ")'";
            case NONE -> "";
        };
    }

    private static String plain(String text) {
        return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
