package dev.madt.session;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Kinds of what opens a window of the recording or closes it; the codes are those of {@code enum
 * madt_start}.
 */
public enum StartPoint {
    MAIN(0, "main", false),
    LOAD(1, "load", false),
    MARKER(2, "marker", true),
    FUNC(3, "func:GLOB", true),
    RETURN(4, "return:GLOB", true),
    AFTER(5, "after:TIME", true),
    SIGNAL(6, "signal:NAME", true),
    READ(7, "read:BYTES", true),
    CTL(8, "ctl", true),
    /** {@code --for}. */
    FOR(9, "for", true),
    /** A child of fork begins within its parent's window. */
    FORK(10, "fork", false);

    private final int code;
    private final String form;
    private final boolean stops;

    StartPoint(int code, String form, boolean stops) {
        this.code = code;
        this.form = form;
        this.stops = stops;
    }

    public int code() {
        return code;
    }

    /** As a user types it, with a word in capitals for what it wants. */
    String form() {
        return form;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether it can come more than once. */
    boolean comesAgain() {
        return stops;
    }

    /** Returns those that an option may name: {@code --stop}, or {@code --start}. */
    static List<StartPoint> all(boolean stop) {
        return Arrays.stream(values())
                .filter(point -> point.code <= CTL.code && (point.stops || !stop))
                .toList();
    }

    /** Returns what an option may begin with. */
    public static List<String> words(boolean stop) {
        return all(stop).stream()
                .map(point -> point.form.replaceFirst("[A-Z]+$", ""))
                .toList();
    }

    /** The kind with this code, or null. */
    public static StartPoint of(long code) {
        return code >= 0 && code < values().length ? values()[(int) code] : null;
    }
}
