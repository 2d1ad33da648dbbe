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
 */
public record Site(
        long address,
        int length,
        AccessKind kind,
        int size,
        int operand,
        boolean stack,
        int frame) {
    public static final int NO_FRAME = Integer.MIN_VALUE;

    public Site(long address, int length, AccessKind kind, int size, int operand, boolean stack) {
        this(address, length, kind, size, operand, stack, NO_FRAME);
    }

    /**
     * This site, on the stack at an offset from its function's frame; one that no trace has room
     * for is not known.
     */
    public Site inFrame(long offset) {
        return new Site(
                address,
                length,
                kind,
                size,
                operand,
                true,
                offset == (short) offset ? (int) offset : NO_FRAME);
    }
}
