package dev.madt.manual;

import dev.madt.console.TextResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.Option;

/** The shells that complete madt's command lines. */
public enum Shell {
    BASH,
    ZSH,
    FISH;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Shell::word).toList();
    }

    /** The shell with this name, or null. */
    public static Shell of(String word) {
        return Arrays.stream(values())
                .filter(shell -> shell.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns what this shell has to read to complete the commands, their options and the words
     * that those take.
     */
    public String completion(List<Command> commands) throws IOException {
        String frame = TextResource.read(Shell.class, "completion." + word());
        return switch (this) {
            case BASH -> Completions.Bash.fill(frame, commands);
            case ZSH -> Completions.Zsh.fill(frame, commands);
            case FISH -> Completions.Fish.fill(frame, commands);
        };
    }

    /**
     * An option as shells complete it.
     *
     * @param letter without its dash, null if there is none
     * @param name without its dashes, null if there is none
     * @param argument what the help calls the value, null if the option takes none
     * @param words what the value is one of; empty if that is open
     */
    public record CompletedOption(
            String letter, String name, String argument, String text, List<String> words) {
        /** The options of a command in the order of its help. */
        public static List<CompletedOption> of(Command command) {
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

        public boolean takesValue() {
            return argument != null;
        }

        boolean takesFile() {
            return "FILE".equals(argument);
        }

        /** Its forms, as they are typed. */
        public List<String> spellings() {
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
}
