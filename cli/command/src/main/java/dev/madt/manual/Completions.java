package dev.madt.manual;

import dev.madt.console.Operands;
import dev.madt.manual.Shell.CompletedOption;
import java.util.List;
import java.util.stream.Collectors;

/** Fills in what the files for the completion of shells leave open. */
final class Completions {
    private Completions() {}

    /** Writes what {@code completion.bash} leaves open: lines of {@code case} commands. */
    static final class Bash {
        private Bash() {}

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
                case FILE -> "kind=file";
                case WORD -> words(operands.words());
                case NONE -> "kind=open";
            };
        }

        private static String words(List<String> words) {
            return "kind=words words='" + String.join(" ", words) + "'";
        }
    }

    /**
     * Writes what {@code completion.zsh} leaves open: specifications for {@code _arguments}, see
     * zshcompsys(1).
     */
    static final class Zsh {
        private Zsh() {}

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
                CompletedOption.of(command).forEach(option -> cases.append(" \\\n\t\t\t")
                        .append(specification(option)));
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
                case FILE -> " \\\n\t\t\t'*:file:_files'";
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

    /** Writes what {@code completion.fish} leaves open: {@code complete} commands. */
    static final class Fish {
        private Fish() {}

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
                text.append(option.letter().length() == 1 ? " -s " : " -o ")
                        .append(option.letter());
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
                case FILE -> lines.append(start).append("-F\n");
                case NONE -> {}
            }
        }

        private static String quoted(String text) {
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
        }
    }
}
