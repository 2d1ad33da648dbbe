package dev.madt.cli;

import dev.madt.cli.Shell.CompletedOption;
import dev.madt.console.Operands;
import java.util.List;
import java.util.stream.Collectors;

/** Writes what {@code completion.bash} leaves open: lines of {@code case} commands. */
final class BashCompletion {
    private BashCompletion() {}

    static String fill(String frame, List<Command> commands) {
        StringBuilder options = new StringBuilder();
        StringBuilder values = new StringBuilder();
        StringBuilder operands = new StringBuilder();
        for (Command command : commands) {
            List<CompletedOption> all = CompletedOption.of(command);
            options.append("\t")
                    .append(command.name())
                    .append(") words='")
                    .append(all.stream()
                            .flatMap(option -> option.spellings().stream())
                            .collect(Collectors.joining(" ")))
                    .append("' ;;\n");
            all.stream()
                    .filter(CompletedOption::takesValue)
                    .forEach(option -> values.append(value(command, option)));
            operands.append("\t")
                    .append(command.name())
                    .append(") ")
                    .append(operand(command.operands()))
                    .append(" ;;\n");
        }
        return frame.replace(
                        "@COMMANDS@",
                        commands.stream().map(Command::name).collect(Collectors.joining(" ")))
                .replace("@SHELLS@", String.join(" ", Shell.words()))
                .replace("@OPTIONS@", options)
                .replace("@VALUES@", values)
                .replace("@OPERANDS@", operands);
    }

    private static String value(Command command, CompletedOption option) {
        String forms = option.spellings().stream()
                .map(form -> "'" + command.name() + " " + form + "'")
                .collect(Collectors.joining(" | "));
        String what = option.takesFile()
                ? "kind=file"
                : option.words().isEmpty() ? "kind=open" : words(option.words());
        return "\t" + forms + ") " + what + " ;;\n";
    }

    private static String operand(Operands operands) {
        return switch (operands.kind()) {
            case TRACE -> "kind=trace";
            case PROGRAM -> "kind=program";
            case WORD -> words(operands.words());
            case NONE -> "kind=open";
        };
    }

    private static String words(List<String> words) {
        return "kind=words words='" + String.join(" ", words) + "'";
    }
}
