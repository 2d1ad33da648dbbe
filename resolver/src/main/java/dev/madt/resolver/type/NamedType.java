package dev.madt.resolver.type;

/**
 * A typedef, or a type that is const, volatile, restrict or atomic: another name for the same
 * memory.
 */
public record NamedType(String name, Type target, long size) implements Type {
    /** As large as the type that it names. */
    public NamedType(String name, Type target) {
        this(name, target, target.size());
    }
}
