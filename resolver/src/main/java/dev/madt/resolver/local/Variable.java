package dev.madt.resolver.local;

import dev.madt.resolver.type.Type;

/**
 * A variable with a fixed address.
 *
 * @param name with its namespaces, classes and functions: {@code shop::visits}
 * @param start ELF virtual address
 */
public record Variable(String name, Type type, long start) {
    /** One past the last byte; a record that ends in a flexible array goes on behind it. */
    public long end() {
        return start + type.size();
    }
}
