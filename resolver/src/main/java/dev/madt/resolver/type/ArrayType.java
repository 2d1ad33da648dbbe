package dev.madt.resolver.type;

/**
 * An array of one dimension; one of several is an array of arrays, whose innermost one lies in
 * memory without gaps: the last dimension of C, the first one of Fortran.
 *
 * @param count number of elements; {@link #OPEN} for a flexible array, which goes on as far as its
 *     memory does
 * @param stride bytes from one element to the next
 * @param lower index of the first element
 */
public record ArrayType(Type element, long count, long stride, long lower, Notation notation)
        implements Type {
    public static final long OPEN = -1;

    /** An array as C has it, whose first element has the index 0. */
    public ArrayType(Type element, long count, long stride) {
        this(element, count, stride, 0, Notation.C);
    }

    @Override
    public String name() {
        StringBuilder bounds = new StringBuilder();
        Type at = this;
        while (at instanceof ArrayType array && array.notation == notation) {
            if (notation == Notation.C) {
                bounds.append('[')
                        .append(array.isOpen() ? "" : Long.toString(array.count))
                        .append(']');
            } else {
                bounds.insert(0, array.bounds() + (bounds.isEmpty() ? "" : ","));
            }
            at = array.element;
        }
        return at.name() + (notation == Notation.C ? bounds : "(" + bounds + ")");
    }

    /** A dimension as Fortran writes it. */
    private String bounds() {
        String last = isOpen() ? "" : Long.toString(lower + count - 1);
        return lower == 1 && !isOpen() ? last : (lower == 1 ? "" : lower) + ":" + last;
    }

    public boolean isOpen() {
        return count < 0;
    }

    @Override
    public long size() {
        return isOpen() || Math.multiplyHigh(count, stride) != 0 ? 0 : Math.max(0, count * stride);
    }
}
