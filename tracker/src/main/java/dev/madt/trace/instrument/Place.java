package dev.madt.trace.instrument;

/**
 * Says where an instrument stands.
 *
 * @param kind of what in the function
 * @param module pattern of its module; null: any
 * @param function pattern of its function; of {@link Kind#FILE_LINE} its file, of
 *     {@link Kind#STATIC} all that was typed
 * @param number offset, line or block; {@link #ALL}: all blocks
 * @param after whether it stands behind that
 * @param column of what `number` stands for, in what the user typed
 */
public record Place(
        Kind kind, String module, String function, long number, boolean after, int column) {
    /** All blocks. */
    public static final long ALL = -1;

    /** Kinds of places. */
    public enum Kind {
        /** A function is entered. */
        ENTRY,
        /** It returns. */
        RETURN,
        /** An instruction at so many bytes from its beginning. */
        OFFSET,
        /** A line of the file that it is in. */
        LINE,
        /** A line of a file. */
        FILE_LINE,
        /** A basic block, or all. */
        BLOCK,
        /** One that the source names: {@code event:NAME}, {@code sdt:PROVIDER:NAME}. */
        STATIC
    }

    /** Returns where the function of a place returns. */
    public Place returning() {
        return new Place(Kind.RETURN, module, function, 0, false, column);
    }

    /** Returns whether it may be very many places. */
    public boolean isMany() {
        return kind == Kind.BLOCK && number == ALL;
    }

    /** Returns whether the user means functions by a pattern. */
    public boolean isPattern() {
        return function.indexOf('*') >= 0 || function.indexOf('?') >= 0;
    }
}
