package dev.madt.resolver.type;

/**
 * An array of one dimension; one of several is an array of arrays.
 *
 * @param count number of elements; {@link #OPEN} for a flexible array, which goes on as far as its
 *     memory does
 * @param stride bytes from one element to the next
 */
public record ArrayType(Type element, long count, long stride) implements Type {
    public static final long OPEN = -1;

    @Override
    public String name() {
        StringBuilder bounds = new StringBuilder();
        Type at = this;
        while (at instanceof ArrayType array) {
            bounds.append('[')
                    .append(array.isOpen() ? "" : Long.toString(array.count))
                    .append(']');
            at = array.element;
        }
        return at.name() + bounds;
    }

    public boolean isOpen() {
        return count < 0;
    }

    @Override
    public long size() {
        return isOpen() || Math.multiplyHigh(count, stride) != 0 ? 0 : Math.max(0, count * stride);
    }
}
