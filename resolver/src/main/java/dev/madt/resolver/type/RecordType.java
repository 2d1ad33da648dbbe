package dev.madt.resolver.type;

import java.util.List;
import java.util.stream.Stream;

/**
 * A struct, class or union.
 *
 * @param fields in the order of the declaration, base classes first; static members are none
 * @param virtual virtual base classes, at the places that they have in an object of just this type,
 *     behind a pointer of which they may lie elsewhere; or one empty part without a name, where the
 *     members end and bases lie behind whose places are not known
 */
public record RecordType(
        Kind kind,
        String name,
        long size,
        List<Field> fields,
        List<Field> virtual,
        Notation notation)
        implements Type {
    /** A record without virtual base classes. */
    public RecordType(Kind kind, String name, long size, List<Field> fields, Notation notation) {
        this(kind, name, size, fields, List.of(), notation);
    }

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

    /** All parts of an object of just this type. */
    public List<Field> parts() {
        return virtual.isEmpty()
                ? fields
                : Stream.concat(fields.stream(), virtual.stream()).toList();
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
