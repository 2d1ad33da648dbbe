package dev.madt.resolver.type;

/**
 * Says how a variable lies in memory. Sizes are bytes; 0 where a type has no size of its own or it
 * is not known. Types that hold each other by value form no circle; only through a
 * {@link PointerType} a type may come back to itself.
 */
public sealed interface Type permits ScalarType, PointerType, ArrayType, RecordType, NamedType {
    /** Holds what stands for a type that cannot be read. */
    Type UNKNOWN = new ScalarType("?", 0);

    /**
     * The name as declarations write it, for instance {@code struct node}; empty for a type without
     * a name.
     */
    String name();

    long size();

    /** The type without typedefs, const and volatile. */
    default Type bare() {
        Type at = this;
        while (at instanceof NamedType named) {
            at = named.target();
        }
        return at;
    }
}
