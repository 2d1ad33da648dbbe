package dev.madt.resolver.type;

import java.util.Map;

/**
 * A type without parts: a number, an enumeration, {@code void}, a function.
 *
 * @param constants the values of an enumeration by their names, in their order; else empty
 * @param form of its bits
 */
public record ScalarType(String name, long size, Map<String, Long> constants, Form form)
        implements Type {
    /** Says how the bits of a type are meant. */
    public enum Form {
        SIGNED,
        UNSIGNED,
        REAL,
        /** None of these. */
        OTHER,
        /** It is not said. */
        UNKNOWN
    }

    public ScalarType(String name, long size) {
        this(name, size, Map.of(), Form.UNKNOWN);
    }

    /** Returns whether it is an integer of 1, 2, 4 or 8 bytes. */
    public boolean isInteger() {
        return (size == 1 || size == 2 || size == 4 || size == 8)
                && (form == Form.UNKNOWN
                        ? !name.matches(".*\\b(float|double|complex)\\b.*")
                        : form == Form.SIGNED || form == Form.UNSIGNED);
    }

    /** Returns whether it is a floating-point number of 4 or 8 bytes. */
    public static boolean isReal(Type type) {
        return type instanceof ScalarType scalar
                && scalar.form == Form.REAL
                && (scalar.size == 4 || scalar.size == 8);
    }

    /** Returns whether it is an x87 floating-point number, of which the first ten bytes count. */
    public static boolean isLongReal(Type type) {
        return type instanceof ScalarType scalar
                && scalar.form == Form.REAL
                && scalar.size == 16
                && scalar.name.equals("long double");
    }

    /**
     * Returns whether an integer has a sign; where that is not said, its name tells, by the words
     * of the language.
     */
    public static boolean isSigned(Type type) {
        if (type instanceof ScalarType scalar && scalar.form != Form.UNKNOWN) {
            return scalar.form == Form.SIGNED;
        }
        return !type.name().contains("unsigned")
                && !type.name().matches("_?[Bb]ool|char(8|16|32)_t|u(8|16|32|64|size)|usize");
    }
}
