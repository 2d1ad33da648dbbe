package dev.madt.resolver.line;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.AtomicTypes;
import dev.madt.resolver.type.FieldPath;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.TypeMember;

/**
 * Says what places inside a variable or block are called by their members. What a block holds is a
 * guess: its names end in {@code ?}. A block that has room for two values is an array of them.
 */
public final class Members {
    /** Arrays with more elements than any have their indices in all names. */
    public static final long ALL_INDICES = Long.MAX_VALUE;

    private final Type type;
    private final long blockSize;
    /** Values in the block; 0 if it is one value, or a variable. */
    private final long elements;

    private Members(Type type, long blockSize, long elements) {
        this.type = type;
        this.blockSize = blockSize;
        this.elements = elements;
    }

    static Members ofVariable(Type type) {
        return new Members(type, -1, 0);
    }

    /** Null for a type without a size. */
    static Members ofBlock(Type type, long size) {
        if (type.size() <= 0 && !(isArray(type) && stride(type) > 0)) {
            return null;
        }
        boolean open =
                isArray(type) || type.bare() instanceof RecordType record && record.endsOpen();
        return new Members(
                type, size, open || size / 2 < type.size() ? 0 : (size - 1) / type.size() + 1);
    }

    /** Returns whether the block is known as a whole: what Fortran allocates as an array. */
    private static boolean isArray(Type type) {
        return type.bare() instanceof ArrayType array && array.isOpen();
    }

    private static long stride(Type type) {
        return ((ArrayType) type.bare()).stride();
    }

    /** Returns whether both have the same paths. */
    public boolean alike(Members other) {
        return type == other.type && blockSize == other.blockSize;
    }

    /**
     * Returns what stands behind the name: {@code [3].soft}, {@code ->next?}; empty for the whole.
     *
     * @param offset bytes from the start, 0 or more
     * @param size bytes of the access, 0 if that is not known
     * @param indices elements of the longest array whose indices are told; those of longer ones are
     *     {@code []}
     */
    public String path(long offset, long size, long indices) {
        if (elements > 0) {
            return inElements(offset, size, indices);
        }
        if (offset == 0 && isArray(type) && size >= blockSize && blockSize > 0) {
            return "";
        }
        String path = FieldPath.of(type, offset, size, indices);
        if (blockSize < 0) {
            return path;
        }
        boolean named = path.startsWith("%") || isArray(type);
        return (path.startsWith(".") ? "->" + path.substring(1) : (named ? "" : "[0]") + path)
                + "?";
    }

    private String inElements(long offset, long size, long indices) {
        if (offset == 0 && size >= blockSize) {
            return "";
        }
        String index = elements > indices ? "[]" : "[" + offset / type.size() + "]";
        return index + FieldPath.of(type, offset % type.size(), size, indices) + "?";
    }

    /**
     * The member by its type, {@code struct node.next?}, as {@link TypeMember} names it; the name
     * of the type for the whole.
     */
    public String ofType(long offset, long size) {
        return TypeMember.of(type, inElement(offset), size) + (blockSize < 0 ? "" : "?");
    }

    /** Returns the value that a place is in, by whose type {@link #ofType} names its members. */
    public TypeMember.Value value(long offset) {
        long inElement = inElement(offset);
        TypeMember.Value value = TypeMember.value(type, inElement);
        return new TypeMember.Value(value.type(), value.start() + offset - inElement);
    }

    /** Returns whether this is a guess of what a block holds. */
    public boolean isGuess() {
        return blockSize >= 0;
    }

    /** Returns whether a place belongs to an atomic variable. */
    public boolean isAtomic(long offset) {
        return AtomicTypes.isAtomic(type, inElement(offset));
    }

    private long inElement(long offset) {
        return elements > 0 ? offset % type.size() : offset;
    }

    /** An offset, one of few, at which every access has the same path as at the given one. */
    public long twin(long offset, long indices) {
        if (elements == 0) {
            return FieldPath.twin(type, offset, indices);
        }
        long base = elements <= indices
                ? offset - offset % type.size()
                : offset < type.size() ? 0 : type.size();
        return base + FieldPath.twin(type, offset % type.size(), indices);
    }
}
