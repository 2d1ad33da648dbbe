package dev.madt.resolver.line;

/**
 * Says how an event says where the call stands that made it (docs/FORMAT.md, code words): the
 * address of the call instruction, or, with bit 63 set, the return address of a call to a function
 * that went on to the traced one by a jump.
 */
public final class CodeWord {
    private static final long TAIL = 1L << 63;

    private CodeWord() {}

    /** The code word of a tail call with this return address. */
    public static long tail(long returnAddress) {
        return returnAddress | TAIL;
    }

    public static boolean isTail(long word) {
        return (word & TAIL) != 0;
    }

    /** The address that names and offsets count to: of the call, or the return address. */
    public static long address(long word) {
        return word & ~TAIL;
    }

    /** An address inside the calling function: a return address may be the first byte behind it. */
    public static long inside(long word) {
        return isTail(word) ? address(word) - 1 : word;
    }
}
