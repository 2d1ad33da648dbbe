package dev.madt.view.sharing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names bytes of data without members or elements, which all have a name of their own: the first
 * ones and the last ones of those that were alike.
 */
final class NamedBytes {
    private static final Pattern OFFSET = Pattern.compile("(.*)\\+(\\d{1,18})");

    private final String data;
    private long lowest;
    private long highest;

    private NamedBytes(String data, long offset) {
        this.data = data;
        lowest = offset;
        highest = offset;
    }

    /** Takes a name apart. */
    static NamedBytes of(String name) {
        Matcher parts = OFFSET.matcher(name);
        return parts.matches()
                ? new NamedBytes(parts.group(1), Long.parseLong(parts.group(2)))
                : new NamedBytes(name, -1);
    }

    /** Returns the name without an offset, and whether it had one: those that may be joined. */
    String group() {
        return lowest < 0 ? data : data + '+';
    }

    /** Adds others of the same group. */
    void add(NamedBytes other) {
        lowest = Math.min(lowest, other.lowest);
        highest = Math.max(highest, other.highest);
    }

    /** Returns {@code data}, {@code data+8} or {@code data+8 to +16}. */
    String text() {
        return lowest < 0
                ? data
                : data + '+' + lowest + (highest == lowest ? "" : " to +" + highest);
    }
}
