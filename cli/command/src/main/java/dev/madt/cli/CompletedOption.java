package dev.madt.cli;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;

/**
 * An option as shells complete it.
 *
 * @param letter without its dash, null if there is none
 * @param name without its dashes, null if there is none
 * @param argument what the help calls the value, null if the option takes none
 * @param words what the value is one of; empty if that is open
 */
record CompletedOption(
        String letter, String name, String argument, String text, List<String> words) {
    /** The options of a command in the order of its help. */
    static List<CompletedOption> of(Command command) {
        List<CompletedOption> options = new ArrayList<>();
        for (Option option : Manual.sorted(command)) {
            List<String> words = option.hasLongOpt()
                    ? command.words().getOrDefault(option.getLongOpt(), List.of())
                    : List.of();
            options.add(new CompletedOption(
                    option.getOpt(),
                    option.getLongOpt(),
                    option.hasArg() ? option.getArgName() : null,
                    option.getDescription(),
                    words));
        }
        return options;
    }

    boolean takesValue() {
        return argument != null;
    }

    boolean takesFile() {
        return "FILE".equals(argument);
    }

    /** Its forms, as they are typed. */
    List<String> spellings() {
        List<String> forms = new ArrayList<>();
        if (letter != null) {
            forms.add("-" + letter);
        }
        if (name != null) {
            forms.add("--" + name);
        }
        return forms;
    }
}
