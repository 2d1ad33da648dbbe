package dev.madt.resolver.type;

import java.util.List;

/**
 * A struct, class or union.
 *
 * @param fields in the order of the declaration, base classes first; static members are none
 */
public record RecordType(Kind kind, String name, long size, List<Field> fields, Notation notation)
        implements Type {
    /** A record whose members are named as in C. */
    public RecordType(Kind kind, String name, long size, List<Field> fields) {
        this(kind, name, size, fields, Notation.C);
    }

    /** Says how it was declared. */
    public enum Kind {
        STRUCT,
        CLASS,
        UNION
    }

    /**
     * Returns whether it ends in a flexible array, so that a variable may be longer than its type.
     */
    public boolean endsOpen() {
        return !fields.isEmpty()
                && fields.get(fields.size() - 1).type().bare() instanceof ArrayType array
                && array.isOpen();
    }

    /**
     * A member or base class.
     *
     * @param name empty for an anonymous struct or union, the class's for a base
     * @param offset bytes from the record's start; of a bit-field the byte with its first bit
     * @param bitOffset of a bit-field: its first bit in that byte, 0 the lowest; else 0
     * @param bitSize of a bit-field: its bits; else 0
     */
    public record Field(
            String name, Type type, long offset, int bitOffset, int bitSize, boolean base) {
        /** A member that is no bit-field. */
        public Field(String name, Type type, long offset) {
            this(name, type, offset, 0, 0, false);
        }

        public boolean isBitField() {
            return bitSize > 0;
        }

        /** Bytes that it touches; 0 for a flexible array. */
        public long size() {
            return isBitField() ? (bitOffset + bitSize + 7) / 8 : type.size();
        }

        /** Returns whether its parts are members of the record itself, without a name between. */
        public boolean isTransparent() {
            return base || name.isEmpty();
        }
    }
}
