package dev.madt.trace.event;

import java.util.Map;

/**
 * An argument of a function, or its result.
 *
 * @param name empty if it has none, as a result
 * @param size bytes of it that count
 * @param place where it is when the function is entered, or left: {@code enum madt_value};
 *     {@link #NOWHERE} if it is not recorded
 * @param constants names of the values of an enumeration, cut to its size; else empty
 */
public record Argument(String name, Form form, int size, int place, Map<Long, String> constants) {
    /** Says how the value is read; {@link #ordinal} is the number in the file. */
    public enum Form {
        SIGNED,
        UNSIGNED,
        BOOLEAN,
        CHARACTER,
        POINTER,
        FLOATING,
        ENUMERATION
    }

    /** The place of what is not recorded. */
    public static final int NOWHERE = 255;

    /** {@code MADT_VALUE_VECTOR}: the places in front of it are general registers. */
    public static final int VECTOR = 16;
    /** {@code MADT_VALUE_STACK}: the words behind the return address have places from here on. */
    public static final int STACK = 24;
    /** {@code MADT_VALUE_HIGH}: from here on, what is no argument has its place. */
    public static final int PLACES = 32;

    /** Returns what is not recorded, of whatever type. */
    public static Argument nowhere(String name) {
        return new Argument(name, Form.UNSIGNED, 0, NOWHERE, Map.of());
    }
}
