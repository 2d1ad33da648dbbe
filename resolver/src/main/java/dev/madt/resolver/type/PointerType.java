package dev.madt.resolver.type;

import java.util.function.Supplier;

/** A pointer, reference or pointer to member. What it points to is read when it is asked for. */
public final class PointerType implements Type {
    private final String name;
    private final long size;
    private final Supplier<Type> target;

    public PointerType(String name, long size, Supplier<Type> target) {
        this.name = name;
        this.size = size;
        this.target = target;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    /** Returns what it points to; {@link Type#UNKNOWN} if that cannot be read. */
    public Type target() {
        return target.get();
    }

    @Override
    public String toString() {
        return name;
    }
}
