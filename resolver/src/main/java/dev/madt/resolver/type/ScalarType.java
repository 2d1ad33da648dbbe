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
}
