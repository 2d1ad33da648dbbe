package dev.madt.resolver.type;

/**
 * What stands behind a variable's name for a place inside it: {@code [3][1]},
 * {@code .limits[2].soft}; empty for the whole. Where several members lie at the place (a union),
 * the one that an access of the given size fits is taken, else the first. A place in no member is
 * the closest member in front of it and {@code +N}. Takes bounded time whatever the type.
 */
public final class FieldPath {
    private static final int MOST_STEPS = 1 << 12;
    private static final int DEEPEST = 200;

    /** A path, and whether the access covers just what it names. */
    private record Found(String text, boolean fits) {}

    private final long size;
    private final long indices;
    private int steps;

    private FieldPath(long size, long indices) {
        this.size = size;
        this.indices = indices;
    }

    /** The path to a place, of an access whose size is not known. */
    public static String of(Type type, long offset) {
        return of(type, offset, 0);
    }

    /**
     * The path to a place.
     *
     * @param offset bytes from the variable's start
     * @param size bytes of the access, 0 if that is not known
     */
    public static String of(Type type, long offset, long size) {
        return of(type, offset, size, Long.MAX_VALUE);
    }

    /**
     * The path to a place, with {@code []} for the indices of long arrays.
     *
     * @param indices elements of the longest array whose indices are told; arrays without an end
     *     are longer
     */
    public static String of(Type type, long offset, long size, long indices) {
        return new FieldPath(size, indices).find(type, offset, 0).text();
    }

    /**
     * An offset at which every access has the same path as at the given one, where indices are left
     * out: that in the first element of an array, or in the second, since an access to the whole
     * array begins in the first.
     */
    public static long twin(Type type, long offset, long indices) {
        long rest = offset;
        long base = 0;
        Type at = type.bare();
        while (at instanceof ArrayType array && folds(array, indices) && inside(array, rest)) {
            base += rest < array.stride() ? 0 : array.stride();
            rest %= array.stride();
            at = array.element().bare();
        }
        return base + rest;
    }

    private static boolean folds(ArrayType array, long indices) {
        return indices < Long.MAX_VALUE && (array.isOpen() || array.count() > indices);
    }

    private static boolean inside(ArrayType array, long offset) {
        return offset >= 0
                && array.stride() > 0
                && (array.isOpen() || offset / array.stride() < array.count());
    }

    private Found find(Type type, long offset, int depth) {
        if (offset < 0 || steps++ > MOST_STEPS || depth > DEEPEST) {
            return rest(offset);
        }
        Type bare = type.bare();
        if (bare instanceof RecordType whole) {
            return covering(whole, offset, inRecord(whole, offset, depth));
        }
        if (bare instanceof ArrayType whole) {
            return covering(whole, offset, inArray(whole, offset, depth));
        }
        return offset == 0 ? new Found("", size == bare.size()) : rest(offset);
    }

    private static Found rest(long offset) {
        return new Found(
                offset == 0 ? "" : offset > 0 ? "+" + offset : Long.toString(offset), false);
    }

    /** An access to all of something and to no single part of it is to the whole. */
    private Found covering(Type whole, long offset, Found part) {
        boolean all = offset == 0 && whole.size() > 0 && size >= whole.size();
        return all && !part.fits() ? new Found("", size == whole.size()) : part;
    }

    private Found inArray(ArrayType array, long offset, int depth) {
        if (!inside(array, offset)) {
            return rest(offset);
        }
        Found inner = find(array.element(), offset % array.stride(), depth + 1);
        String index = folds(array, indices) ? "[]" : "[" + offset / array.stride() + "]";
        return new Found(index + inner.text(), inner.fits());
    }

    private Found inRecord(RecordType record, long offset, int depth) {
        Found first = null;
        for (RecordType.Field field : record.fields()) {
            if (offset >= field.offset() && offset - field.offset() < field.size()) {
                Found found = inField(field, offset, depth);
                if (found.fits()) {
                    return found;
                }
                first = first == null ? found : first;
            }
        }
        if (first != null) {
            return first;
        }
        RecordType.Field before = closest(record, offset);
        return before == null ? rest(offset) : inField(before, offset, depth);
    }

    /**
     * The member that ends, or being a flexible array begins, last at or before the place; or null.
     */
    private static RecordType.Field closest(RecordType record, long offset) {
        RecordType.Field closest = null;
        for (RecordType.Field field : record.fields()) {
            if (field.offset() <= offset && (closest == null || end(field) >= end(closest))) {
                closest = field;
            }
        }
        return closest;
    }

    private static long end(RecordType.Field field) {
        return field.offset() + field.size();
    }

    private Found inField(RecordType.Field field, long offset, int depth) {
        Found inner = field.isBitField()
                ? rest(offset - field.offset())
                : find(field.type(), offset - field.offset(), depth + 1);
        return field.isTransparent()
                ? inner
                : new Found("." + field.name() + inner.text(), inner.fits());
    }
}
