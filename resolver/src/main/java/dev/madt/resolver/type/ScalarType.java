package dev.madt.resolver.type;

import java.util.Map;

/**
 * A type without parts: a number, an enumeration, {@code void}, a function.
 *
 * @param constants the values of an enumeration by their names, in their order; else empty
 */
public record ScalarType(String name, long size, Map<String, Long> constants) implements Type {
    public ScalarType(String name, long size) {
        this(name, size, Map.of());
    }

    /** Returns whether it is an integer of 1, 2, 4 or 8 bytes. */
    public boolean isInteger() {
        return (size == 1 || size == 2 || size == 4 || size == 8)
                && !name.matches(".*\\b(float|double|complex)\\b.*");
    }

    /** Returns whether an integer has a sign: compilers name them by the words of the language. */
    public static boolean isSigned(Type type) {
        return !type.name().contains("unsigned")
                && !type.name().matches("_?[Bb]ool|char(8|16|32)_t|u(8|16|32|64|size)|usize");
    }
}
