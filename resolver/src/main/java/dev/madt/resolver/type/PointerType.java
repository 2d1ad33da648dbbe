package dev.madt.resolver.type;

import java.util.function.Supplier;

/** A pointer, reference or pointer to member. What it points to is read when it is asked for. */
public final class PointerType implements Type {
    /** Kinds of pointers, by how the source names what they point to. */
    public enum Kind {
        /** It is named apart from its target. */
        POINTER,
        /** A reference of C++: its name stands for its target. */
        REFERENCE,
        /** A reference or box of Rust: members of its target are named as its own. */
        BORROW
    }

    private final Kind kind;
    private final String name;
    private final long size;
    private final Supplier<Type> target;

    public PointerType(Kind kind, String name, long size, Supplier<Type> target) {
        this.kind = kind;
        this.name = name;
        this.size = size;
        this.target = target;
    }

    /** A pointer that is no reference. */
    public PointerType(String name, long size, Supplier<Type> target) {
        this(Kind.POINTER, name, size, target);
    }

    public Kind kind() {
        return kind;
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
