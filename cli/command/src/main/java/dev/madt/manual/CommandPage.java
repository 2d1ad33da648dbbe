package dev.madt.manual;

import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.console.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.Option;

/** The manual page of one command, section 1, as roff: {@code madt-run.1} and its like. */
public final class CommandPage {
    private CommandPage() {}

    public static String of(Command command) {
        StringBuilder text = new StringBuilder();
        String name = "madt-" + command.name();
        text.append(".TH ")
                .append(escaped(name.toUpperCase(Locale.ROOT)))
                .append(" 1 \"\" \"MadT ")
                .append(Version.TEXT)
                .append("\" \"User Commands\"\n");
        text.append(".SH NAME\n")
                .append(escaped(name))
                .append(" \\- ")
                .append(escaped(command.summary()))
                .append('\n');
        text.append(".SH SYNOPSIS\n.B madt ")
                .append(command.name())
                .append("\n")
                .append(escaped(command.arguments()))
                .append('\n');
        describe(text, command);
        for (Map.Entry<String, List<Option>> section : Manual.sections(command).entrySet()) {
            text.append(".SS \"").append(escaped(section.getKey())).append("\"\n");
            ManualPage.options(text, section.getValue());
        }
        text.append(".SH \"EXIT STATUS\"\n");
        lines(text, statuses(command));
        text.append(".SH EXAMPLES\n.nf\n");
        command.examples().forEach(example -> text.append(escaped(example)).append('\n'));
        return text.append(".fi\n.SH \"SEE ALSO\"\n.BR madt (1)\n").toString();
    }

    private static void describe(StringBuilder text, Command command) {
        text.append(".SH DESCRIPTION\n")
                .append(escaped(Manual.sentence(command.summary())))
                .append(".\n");
        if (command.operands().kind() == Operands.Kind.TRACE) {
            text.append(
                    "Without a trace, the newest\n.I *.madt\nin the current directory is read.\n");
        }
        if (!command.notes().isEmpty()) {
            text.append(".PP\n.nf\n");
            command.notes().forEach(note -> text.append(escaped(note)).append('\n'));
            text.append(".fi\n");
        }
        text.append(".SH OPTIONS\n");
    }

    private static List<String> statuses(Command command) {
        List<String> lines = new ArrayList<>(command.statuses());
        if (command.options().hasLongOption("strict")) {
            if (lines.stream().noneMatch(told -> told.startsWith(Status.FAILED + " "))) {
                lines.add(Status.FAILED + "    it failed, or the trace is damaged");
            }
            lines.add(Status.INCOMPLETE + "    the trace is incomplete, with --strict");
        }
        return lines;
    }

    private static void lines(StringBuilder text, List<String> lines) {
        text.append(".nf\n");
        lines.forEach(line -> text.append(escaped(line)).append('\n'));
        text.append(".fi\n");
    }

    private static String escaped(String text) {
        return ManualPage.escaped(text);
    }
}
