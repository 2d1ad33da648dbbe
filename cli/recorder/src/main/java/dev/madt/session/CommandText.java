package dev.madt.session;

import dev.madt.trace.codec.PrintableText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A command line as a shell would take it again: arguments quoted where that is needed, joined by
 * blanks.
 */
public final class CommandText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private CommandText() {}

    /**
     * The command of a running process; {@code otherwise} if it is gone. A program that has put a
     * title in the place of its command line leaves empty arguments behind it, which are left out.
     */
    public static String of(int pid, List<String> otherwise) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            if (bytes.length > 0) {
                return join(withoutRest(Caller.strings(bytes)));
            }
        } catch (IOException e) {
            return of(otherwise);
        }
        return of(otherwise);
    }

    private static List<byte[]> withoutRest(List<byte[]> arguments) {
        int end = arguments.size();
        while (end > 1 && arguments.get(end - 1).length == 0 && isTitle(arguments.get(0))) {
            end--;
        }
        return arguments.subList(0, end);
    }

    /** Returns whether it is one, and no name of a program: it has several words. */
    private static boolean isTitle(byte[] first) {
        return new String(first, StandardCharsets.ISO_8859_1).indexOf(' ') >= 0;
    }

    /** Returns a file's name as an argument, which no command takes for an option. */
    public static String file(Path file) {
        return of(List.of(file.toString().startsWith("-") ? "./" + file : file.toString()));
    }

    public static String of(List<String> arguments) {
        return join(arguments.stream()
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    private static String join(List<byte[]> arguments) {
        return arguments.stream().map(CommandText::quoted).collect(Collectors.joining(" "));
    }

    /**
     * Quotes an argument: what cannot be printed stands in {@code $'…'}, which bash, zsh and newer
     * shells know, as {@link PrintableText} writes it.
     */
    private static String quoted(byte[] argument) {
        String text = new String(argument, StandardCharsets.UTF_8);
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        String printable = PrintableText.of(argument, 0, argument.length);
        return printable.equals(text.replace("\\", "\\\\"))
                ? "'" + text.replace("'", "'\\''") + "'"
                : "$'" + printable.replace("'", "\\'") + "'";
    }
}
