package dev.madt.console;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says how much {@code --last} keeps of each process.
 *
 * @param text as the user wrote it
 * @param bytes of events in memory, at most
 * @param nanos events that are older are forgotten; 0: however old they are
 */
public record KeptExtent(String text, long bytes, long nanos) {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(us|ms|s|min)");
    private static final Map<String, Long> NANOS =
            Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "min", 60_000_000_000L);

    /** Reads {@code 64M} or {@code 200ms}; null stays null. */
    public static KeptExtent of(String text) throws Failure {
        if (text == null) {
            return null;
        }
        long most = Runtime.getRuntime().maxMemory() / 4;
        Matcher time = TIME.matcher(text);
        if (time.matches() && Long.parseLong(time.group(1)) > 0) {
            long nanos = Long.parseLong(time.group(1)) * NANOS.get(time.group(2));
            return new KeptExtent(text, most, nanos);
        }
        long bytes = Numbers.bytes(text);
        if (bytes <= 0) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--last is a size or a time, as in 64M, 200ms, 10s or 2min, not '" + text
                            + "'.");
        }
        if (bytes > most) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--last " + text + " is more than a quarter of madt's memory, "
                            + Numbers.grouped(most >> 20)
                            + " MiB. MADT_MEMORY=SIZE gives it more.");
        }
        return new KeptExtent(text, bytes, 0);
    }
}
