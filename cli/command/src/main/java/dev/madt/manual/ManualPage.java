package dev.madt.manual;

import dev.madt.console.TextResource;
import dev.madt.console.Version;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.commons.cli.Option;

/**
 * The manual page, section 1, as roff: {@code madt.roff} with the commands and their options in it.
 * docs/madt.1 is its text.
 */
public final class ManualPage {
    private static final String FRAME = "madt.roff";

    private ManualPage() {}

    public static String of(List<Command> commands) throws IOException {
        StringBuilder sections = new StringBuilder();
        for (Command command : commands) {
            section(sections, command);
        }
        return TextResource.read(ManualPage.class, FRAME)
                .replace("@VERSION@", Version.TEXT)
                .replace("@COMMANDS@", sections);
    }

    private static void section(StringBuilder text, Command command) {
        text.append(".SS madt ")
                .append(escaped(command.name() + " " + command.arguments()))
                .append('\n')
                .append(escaped(Manual.sentence(command.summary())))
                .append(".\n");
        command.notes()
                .forEach(note -> text.append(".br\n").append(escaped(note)).append('\n'));
        options(text, Manual.sorted(command));
    }

    static void options(StringBuilder text, Collection<Option> options) {
        for (Option option : options) {
            text.append(".TP\n")
                    .append(spelled(option))
                    .append('\n')
                    .append(escaped(option.getDescription()))
                    .append('\n');
        }
    }

    private static String spelled(Option option) {
        String spelling = "\\fB" + escaped(Manual.spelling(option, "")) + "\\fR";
        return option.hasArg()
                ? spelling + " \\fI" + escaped(option.getArgName()) + "\\fR"
                : spelling;
    }

    /** Text without a meaning for roff; no line of it begins with a control character. */
    static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
