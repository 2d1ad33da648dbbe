package dev.madt.trace.event;

/**
 * One place in the code that accesses memory: an operand of an instruction, or one element of it.
 *
 * @param address run-time address of the instruction
 * @param length bytes of the instruction; 0 if unknown (code without a map)
 * @param kind what it does
 * @param size bytes accessed; 0 if unknown
 * @param operand number of the operand in the instruction, from 0
 * @param stack whether the operand addresses the stack by its form
 * @param frame offset of what it accesses from the canonical frame address of its function,
 *     {@link #NO_FRAME} if unknown
 * @param atomic whether the instruction is known to be atomic: it has a lock prefix, or exchanges
 * @param element which element of a masked access it is, from 0: the elements lie one behind the
 *     other, whichever of them take part; 0 of all other accesses
 */
public record AccessSite(
        long address,
        int length,
        AccessKind kind,
        int size,
        int operand,
        boolean stack,
        int frame,
        boolean atomic,
        int element) {
    public static final int NO_FRAME = Integer.MIN_VALUE;

    /** In the operand of an enter: its size says to which functions (madt_plan.h). */
    private static final int LEAP_TARGETS = 1;
    /** In the operand of an enter: through a pointer. */
    private static final int LEAP_ANYWHERE = 2;

    public AccessSite(
            long address, int length, AccessKind kind, int size, int operand, boolean stack) {
        this(address, length, kind, size, operand, stack, NO_FRAME);
    }

    public AccessSite(
            long address,
            int length,
            AccessKind kind,
            int size,
            int operand,
            boolean stack,
            int frame) {
        this(address, length, kind, size, operand, stack, frame, false, 0);
    }

    /** This site, of an atomic instruction. */
    public AccessSite ofAtomic() {
        return new AccessSite(address, length, kind, size, operand, stack, frame, true, element);
    }

    /** The site of the element behind this one, in the same masked access. */
    public AccessSite nextElement() {
        return new AccessSite(
                address, length, kind, size, operand, stack, frame, atomic, element + 1);
    }

    /** Returns how many bytes in front of this element its masked access begins. */
    public int inFront() {
        return element * size;
    }

    /**
     * Of an enter: whether its function may go on in another one by a jump, at the stack pointer
     * that it was entered with.
     *
     * @param entry address of that one's enter
     */
    public boolean mayJumpTo(long entry) {
        int bit = ((int) (entry - address) * 0x9e3779b1) >>> 28;
        return (operand & LEAP_ANYWHERE) != 0
                || (operand & LEAP_TARGETS) != 0 && (size >>> bit & 1) != 0;
    }

    /**
     * This site, on the stack at an offset from its function's frame; one that no trace has room
     * for is not known.
     */
    public AccessSite inFrame(long offset) {
        return new AccessSite(
                address,
                length,
                kind,
                size,
                operand,
                true,
                offset == (short) offset ? (int) offset : NO_FRAME,
                atomic,
                element);
    }
}
