package dev.madt.trace.event;

import java.util.List;

/**
 * A type as a trace holds it. It refers to other types by their numbers, which are lower than its
 * own.
 *
 * @param size bytes, 0 if it has none of its own
 * @param element number of the element's type of an array, or of the type that an alias names; else
 *     0
 * @param count elements of an array, -1 for one without an end; else 0
 * @param members of a struct, class or union; else empty
 * @param fortran whether it is an array or struct whose parts are named as Fortran does
 * @param lower index of the first element of an array; else 0
 */
public record TypeEntry(
        Form form,
        String name,
        long size,
        int element,
        long count,
        List<Member> members,
        boolean fortran,
        long lower) {
    /** A type whose parts are named as in C. */
    public TypeEntry(
            Form form, String name, long size, int element, long count, List<Member> members) {
        this(form, name, size, element, count, members, false, 0);
    }

    /** Says what a type is; {@link #ordinal} is the number in the file. */
    public enum Form {
        SCALAR,
        POINTER,
        ARRAY,
        STRUCT,
        CLASS,
        UNION,
        ALIAS
    }

    /**
     * A member or base class.
     *
     * @param name empty if it has none
     * @param type number of its type
     * @param offset bytes from the start; of a bit-field the byte with its first bit
     * @param bitOffset of a bit-field: its first bit in that byte; else 0
     * @param bitSize of a bit-field: its bits; else 0
     */
    public record Member(
            String name, int type, long offset, int bitOffset, int bitSize, boolean base) {}
}
