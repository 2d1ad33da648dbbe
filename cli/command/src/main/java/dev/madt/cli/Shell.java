package dev.madt.cli;

import dev.madt.console.TextResource;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The shells that complete madt's command lines. */
enum Shell {
    BASH,
    ZSH,
    FISH;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Shell::word).toList();
    }

    /** The shell with this name, or null. */
    static Shell of(String word) {
        return Arrays.stream(values())
                .filter(shell -> shell.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns what this shell has to read to complete the commands, their options and the words
     * that those take.
     */
    String completion(List<Command> commands) throws IOException {
        String frame = TextResource.read(Shell.class, "completion." + word());
        return switch (this) {
            case BASH -> BashCompletion.fill(frame, commands);
            case ZSH -> ZshCompletion.fill(frame, commands);
            case FISH -> FishCompletion.fill(frame, commands);
        };
    }
}
