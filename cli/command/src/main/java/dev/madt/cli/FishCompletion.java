package dev.madt.cli;

import dev.madt.cli.Shell.CompletedOption;
import java.util.List;
import java.util.stream.Collectors;

/** Writes what {@code completion.fish} leaves open: {@code complete} commands. */
final class FishCompletion {
    private FishCompletion() {}

    static String fill(String frame, List<Command> commands) {
        StringBuilder lines = new StringBuilder();
        StringBuilder valued = new StringBuilder();
        for (Command command : commands) {
            String name = command.name();
            lines.append("complete -c madt -n __madt_begins -a ")
                    .append(name)
                    .append(" -d ")
                    .append(quoted(command.summary()))
                    .append('\n');
            CompletedOption.of(command)
                    .forEach(option -> lines.append("complete -c madt -n '__madt_options ")
                            .append(name)
                            .append("'")
                            .append(option(option))
                            .append('\n'));
            operands(lines, command);
            if (command.stopsAtArgument()) {
                valued.append(CompletedOption.of(command).stream()
                        .filter(CompletedOption::takesValue)
                        .flatMap(option -> option.spellings().stream())
                        .collect(Collectors.joining(" ")));
            }
        }
        return frame.replace(
                        "@NAMES@",
                        commands.stream().map(Command::name).collect(Collectors.joining(" ")))
                .replace("@SHELLS@", String.join(" ", Shell.words()))
                .replace("@VALUED@", valued)
                .replace("@LINES@\n", lines);
    }

    private static String option(CompletedOption option) {
        StringBuilder text = new StringBuilder();
        if (option.letter() != null) {
            text.append(option.letter().length() == 1 ? " -s " : " -o ").append(option.letter());
        }
        if (option.name() != null) {
            text.append(" -l ").append(option.name());
        }
        if (option.takesFile()) {
            text.append(" -r -F");
        } else if (option.takesValue()) {
            text.append(" -x");
        }
        if (!option.words().isEmpty()) {
            text.append(" -a '").append(String.join(" ", option.words())).append("'");
        }
        return text.append(" -d ").append(quoted(option.text())).toString();
    }

    private static void operands(StringBuilder lines, Command command) {
        String start = "complete -c madt -n '__madt_options " + command.name() + "' ";
        switch (command.operands().kind()) {
            case TRACE -> lines.append(start).append("-k -a '(__madt_traces)'\n");
            case PROGRAM ->
                lines.append("complete -c madt -n '__madt_at ")
                        .append(command.name())
                        .append("' -a '(__madt_program)'\n");
            case WORD ->
                lines.append(start)
                        .append("-a '")
                        .append(String.join(" ", command.operands().words()))
                        .append("'\n");
            case NONE -> {}
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
