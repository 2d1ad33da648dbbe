package dev.madt.resolver.dwarf;

/** A typedef, or a type that is const, volatile, restrict or atomic: another name for the same memory. */
public record NamedType(String name, Type target) implements Type {
    @Override
    public long size() {
        return target.size();
    }
}
