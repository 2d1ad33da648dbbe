package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what opens a window of the recording, or closes it: {@code marker}, {@code func:GLOB},
 * {@code after:10s} …
 *
 * @param text as the user typed it
 * @param glob of functions, or null
 * @param nanos for {@link StartPoint#AFTER}; for {@link StartPoint#RETURN}, how long a call is to
 *     have taken, or 0
 * @param signal for {@link StartPoint#SIGNAL}
 * @param bytes for {@link StartPoint#READ}, or null
 */
public record Trigger(
        StartPoint point, String text, String glob, long nanos, int signal, byte[] bytes) {
    /** By number; MadT needs some of them for itself. */
    private static final List<String> SIGNALS = List.of(
            "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
            "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN",
            "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

    private static final List<String> IMPOSSIBLE =
            List.of("KILL", "STOP", "SEGV", "TRAP", "SYS", "ILL", "BUS", "FPE");
    private static final int MOST_SIGNALS = 64;
    /** A function and how long its call is to take; names of C++ have {@code >}, too. */
    private static final String SLOW = "(.+)>([0-9.]+[a-zµ]+)";

    static final Trigger MAIN = plain(StartPoint.MAIN);

    private static Trigger plain(StartPoint point) {
        return new Trigger(point, point.word(), null, 0, 0, null);
    }

    /**
     * Reads what a user typed.
     *
     * @param source the option or variable that it stands in
     * @param stop whether it is to close windows
     */
    public static Trigger of(String text, String source, boolean stop, int status) throws Failure {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        String argument = colon < 0 ? null : text.substring(colon + 1);
        List<StartPoint> points = StartPoint.all(stop);
        for (StartPoint point : points) {
            if (point.word().equals(word)) {
                return of(point, text, argument, source, status);
            }
        }
        List<String> words = points.stream().map(StartPoint::form).toList();
        throw new Failure(
                status,
                source + " is " + String.join(", ", words.subList(0, words.size() - 1)) + " or "
                        + words.get(words.size() - 1) + ", not '" + text + "'."
                        + Suggestion.sentence(
                                word, points.stream().map(StartPoint::word).toList()));
    }

    private static Trigger of(
            StartPoint point, String text, String argument, String source, int status)
            throws Failure {
        boolean wants = !point.form().equals(point.word());
        if (wants != (argument != null) || wants && argument.isEmpty()) {
            throw new Failure(status, source + " '" + text + "' is to be " + point.form() + ".");
        }
        return switch (point) {
            case FUNC -> new Trigger(point, text, argument, 0, 0, null);
            case RETURN -> returning(text, argument, source, status);
            case AFTER -> new Trigger(point, text, null, nanos(argument, source, status), 0, null);
            case SIGNAL ->
                new Trigger(point, text, null, 0, signal(argument, source, status), null);
            case READ -> new Trigger(point, text, null, 0, 0, bytes(argument, source, status));
            default -> plain(point);
        };
    }

    private static Trigger returning(String text, String glob, String source, int status)
            throws Failure {
        Matcher slow = Pattern.compile(SLOW).matcher(glob);
        if (!slow.matches()) {
            return new Trigger(StartPoint.RETURN, text, glob, 0, 0, null);
        }
        long nanos = nanos(slow.group(2), source, status);
        return new Trigger(StartPoint.RETURN, text, slow.group(1), nanos, 0, null);
    }

    /**
     * Returns whether it is a call that takes long, which the launcher finds in what is recorded.
     */
    public boolean isSlowCall() {
        return point == StartPoint.RETURN && nanos > 0;
    }

    /** A time such as {@code 10s}, {@code 200ms}, {@code 1.5s} or {@code 5m}, in nanoseconds. */
    public static long nanos(String text, String source, int status) throws Failure {
        String number = text.replaceFirst("[a-zµ]*$", "");
        double unit =
                switch (text.substring(number.length())) {
                    case "ns" -> 1;
                    case "us", "µs" -> 1e3;
                    case "ms" -> 1e6;
                    case "s" -> 1e9;
                    case "m", "min" -> 60e9;
                    default -> 0;
                };
        boolean none = false;
        try {
            double nanos = Double.parseDouble(number) * unit;
            if (nanos >= 1 && nanos < Long.MAX_VALUE / 2.0) {
                return Math.round(nanos);
            }
            none = unit > 0 && nanos < 1;
        } catch (NumberFormatException e) {
            // told below
        }
        throw new Failure(
                status,
                source + (none ? " has a time of 1ns or more," : " has a time")
                        + " such as 10s, 200ms or 5m, not '" + text + "'.");
    }

    private static int signal(String text, String source, int status) throws Failure {
        String name = text.startsWith("SIG") ? text.substring("SIG".length()) : text;
        int number = name.isEmpty() ? -1 : SIGNALS.indexOf(name);
        if (number < 0 && name.matches("[0-9]{1,2}")) {
            number = Integer.parseInt(name);
        }
        if (number < 1 || number > MOST_SIGNALS) {
            throw new Failure(
                    status,
                    source + " has a signal such as USR1, not '" + text + "'."
                            + Suggestion.sentence(name, SIGNALS));
        }
        if (number < SIGNALS.size() && IMPOSSIBLE.contains(SIGNALS.get(number))) {
            throw new Failure(
                    status,
                    source + ": SIG" + SIGNALS.get(number)
                            + " cannot be taken for that. Choose another signal, such as USR1.");
        }
        return number;
    }

    /**
     * The text as UTF-8; {@code \x1b}, {@code \e}, {@code \n}, {@code \r}, {@code \t} are bytes.
     */
    private static byte[] bytes(String text, String source, int status) throws Failure {
        ByteBuffer bytes = ByteBuffer.allocate(4 * text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (c != '\\') {
                bytes.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            } else if (text.startsWith("x", i)
                    && text.substring(i).matches("(?s)x\\p{XDigit}{2}.*")) {
                bytes.put((byte) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 3;
            } else {
                int escape = i < text.length() ? "enrt0\\".indexOf(text.charAt(i)) : -1;
                if (escape < 0) {
                    throw new Failure(
                            status,
                            source + ": '" + text + "' has a \\ that is none of \\xHH \\e \\n \\r"
                                    + " \\t \\0 \\\\.");
                }
                bytes.put((byte) "\u001b\n\r\t\0\\".charAt(escape));
                i++;
            }
        }
        if (bytes.position() > SharedLayout.TRIGGER_BYTES) {
            throw new Failure(
                    status,
                    source + ": at most " + SharedLayout.TRIGGER_BYTES + " bytes can be awaited,"
                            + " not " + bytes.position() + ".");
        }
        byte[] all = new byte[bytes.position()];
        bytes.flip().get(all);
        return all;
    }

    /** As {@code struct madt_trigger} has it. */
    void write(ByteBuffer page, int at) {
        page.putLong(at + SharedLayout.Trigger.NANOS, nanos);
        page.putInt(at + SharedLayout.Trigger.NUMBER, bytes == null ? signal : bytes.length);
        if (bytes != null) {
            page.put(at + SharedLayout.Trigger.TEXT, bytes);
        }
    }
}
