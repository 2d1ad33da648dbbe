package dev.madt.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A command line as a shell would take it again: arguments quoted where that is needed, joined by blanks. */
final class CommandText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private CommandText() {}

    /** The command of a running process; {@code otherwise} if it is gone. */
    static String of(int pid, List<String> otherwise) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            if (bytes.length > 0) {
                return of(Caller.strings(bytes).stream().map(b -> new String(b, StandardCharsets.UTF_8)).toList());
            }
        } catch (IOException e) {
            return of(otherwise);
        }
        return of(otherwise);
    }

    static String of(List<String> arguments) {
        StringBuilder text = new StringBuilder();
        for (String argument : arguments) {
            text.append(text.isEmpty() ? "" : " ").append(quoted(argument));
        }
        return text.toString();
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
