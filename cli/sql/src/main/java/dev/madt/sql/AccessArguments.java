package dev.madt.sql;

import java.util.Map;

/** Says conditions on accesses as arguments of their table. */
public final class AccessArguments {
    private static final Map<String, String> KINDS = Map.of("L", "load", "S", "store");

    private AccessArguments() {}

    /** Returns the argument for a value of the column {@code kind}; null if there is none. */
    public static String kind(String value) {
        return KINDS.get(value);
    }

    /**
     * Adds those for a range of numbers.
     *
     * @param first 0: from the first access on
     * @param last {@link Long#MAX_VALUE}: to the last access
     */
    public static void addRange(Map<String, String> arguments, long first, long last) {
        if (first > 0) {
            arguments.put("first", Long.toString(first));
        }
        if (last < Long.MAX_VALUE) {
            arguments.put("last", Long.toString(last));
        }
    }
}
