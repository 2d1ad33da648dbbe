package dev.madt.resolver.type;

import dev.madt.resolver.type.Places.Fit;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what stands behind a variable's name for a place inside it: {@code [3][1]},
 * {@code .limits[2].soft}, in Fortran {@code (2,1)%soft}; empty for the whole. A place in no member
 * is the closest member in front of it and {@code +N}. Takes bounded time whatever the type.
 *
 * <p>Where it cannot be told which member is meant, all are named: bit-fields that an access
 * touches as {@code .{lo,hi}}, members that lie at one place (a union) as {@code .{i|f}}. Of the
 * latter those alone that the access fits best: numbers, pointers and words of bit-fields before
 * arrays and structs of its size, which it would access in parts, and these before all others.
 */
public final class FieldPath {
    private static final int MOST_STEPS = 1 << 12;
    private static final int DEEPEST = 200;

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
     * The path to a place, with {@code []} or {@code :} for the indices of long arrays.
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

    private Places find(Type type, long offset, int depth) {
        if (offset < 0 || steps++ > MOST_STEPS || depth > DEEPEST) {
            return Places.rest(offset);
        }
        Type bare = type.bare();
        if (bare instanceof RecordType whole) {
            return covering(whole, offset, inRecord(whole, offset, depth));
        }
        if (bare instanceof ArrayType whole) {
            return covering(whole, offset, inArray(whole, offset, depth));
        }
        return offset == 0
                ? new Places("", size == bare.size() ? Fit.EXACT : Fit.NONE)
                : Places.rest(offset);
    }

    /** An access to all of something and to no single part of it is to the whole. */
    private Places covering(Type whole, long offset, Places part) {
        boolean all = offset == 0 && whole.size() > 0 && size >= whole.size();
        return all && part.fit() == Fit.NONE ? new Places("", whole(whole)) : part;
    }

    /** Bit-fields are accessed by the words that they are in. */
    private Fit whole(Type whole) {
        if (size != whole.size()) {
            return Fit.NONE;
        }
        boolean word = whole instanceof RecordType record
                && record.parts().stream().anyMatch(RecordType.Field::isBitField);
        return word ? Fit.EXACT : Fit.PARTS;
    }

    private Places inArray(ArrayType array, long offset, int depth) {
        if (!inside(array, offset)) {
            return Places.rest(offset);
        }
        Places inner = find(array.element(), offset % array.stride(), depth + 1);
        String path = inner.text();
        boolean fortran = array.notation() == Notation.FORTRAN;
        String index = folds(array, indices)
                ? array.notation().any()
                : array.notation().index(array.lower() + offset / array.stride());
        int more = fortran ? dimensions(array.element()) : 0;
        return new Places(more > 0 ? behind(path, index, more) : index + path, inner.fit());
    }

    /** Dimensions of an array of Fortran; 0 for what is none. */
    private static int dimensions(Type type) {
        int count = 0;
        Type at = type.bare();
        while (at instanceof ArrayType array && array.notation() == Notation.FORTRAN) {
            count++;
            at = array.element().bare();
        }
        return count;
    }

    /** Puts an index behind those of faster dimensions; where a path has none, it is to all. */
    private static String behind(String path, String index, int faster) {
        int end = path.startsWith("(") ? path.indexOf(')') : -1;
        return end < 0
                ? "(" + ":,".repeat(faster) + index.substring(1) + path
                : path.substring(0, end) + "," + index.substring(1) + path.substring(end + 1);
    }

    private Places inRecord(RecordType record, long offset, int depth) {
        List<Places> found = new ArrayList<>();
        boolean bits = false;
        for (RecordType.Field field : record.parts()) {
            if (offset < field.offset() || offset - field.offset() >= field.size()) {
                continue;
            }
            if (field.isBitField() && record.kind() != RecordType.Kind.UNION) {
                bits = true;
            } else if (!isEmpty(field.type())) {
                found.add(inField(record, field, offset, depth));
            }
        }
        if (bits) {
            found.add(bitFields(record, offset));
        }
        if (!found.isEmpty()) {
            return Places.anyOf(found);
        }
        RecordType.Field before = closest(record, offset);
        return before == null ? Places.rest(offset) : inField(record, before, offset, depth);
    }

    private static boolean isEmpty(Type type) {
        return type.bare() instanceof RecordType record && record.parts().isEmpty();
    }

    /** The bit-fields that the access touches, of which one holds its first byte. */
    private Places bitFields(RecordType record, long offset) {
        List<String> names = new ArrayList<>();
        long end = offset + Math.max(size, 1);
        long behind = 0;
        for (RecordType.Field field : record.parts()) {
            if (field.isBitField() && field.offset() < end && end(field) > offset) {
                names.add(field.name());
                behind = offset - field.offset();
            }
        }
        String member = record.notation().member();
        return names.size() > 1
                ? new Places(member + Places.braced(names, ","), Fit.NONE)
                : new Places(member + names.get(0) + Places.rest(behind).text(), Fit.NONE);
    }

    /**
     * The member that ends, or being a flexible array begins, last at or before the place; or null.
     */
    private static RecordType.Field closest(RecordType record, long offset) {
        RecordType.Field closest = null;
        for (RecordType.Field field : record.parts()) {
            if (field.offset() <= offset && (closest == null || end(field) >= end(closest))) {
                closest = field;
            }
        }
        return closest;
    }

    private static long end(RecordType.Field field) {
        return field.offset() + field.size();
    }

    private Places inField(RecordType record, RecordType.Field field, long offset, int depth) {
        long rest = offset - field.offset();
        if (field.isTransparent() && field.type().bare() instanceof RecordType part) {
            return inPart(part, offset, rest, depth + 1);
        }
        Places inner = field.isBitField() ? Places.rest(rest) : find(field.type(), rest, depth + 1);
        String name = field.name().isEmpty() ? "" : record.notation().member() + field.name();
        return new Places(name + inner.text(), inner.fit());
    }

    /** A part without a name of its own is never named as a whole. */
    private Places inPart(RecordType part, long offset, long rest, int depth) {
        boolean end = steps++ > MOST_STEPS || depth > DEEPEST;
        Places inner = end ? Places.rest(offset) : inRecord(part, rest, depth);
        return inner.isUnnamed() ? Places.rest(offset) : inner;
    }
}
