package dev.madt.trace.event;

/**
 * Something that lies in a function's frame at some of its instructions.
 *
 * @param name of a variable as the source has it; of a register its name
 * @param function the function that was inlined and has the variable, by its name for the linker;
 *     empty if it is the one whose frame it is
 * @param offset of its first byte from the canonical frame address: the stack pointer before the
 *     call
 * @param size bytes
 * @param type its number among the types of the trace; {@link #NO_TYPE} if unknown
 */
public record FrameVariable(
        Kind kind, String name, String function, int offset, int size, int type) {
    public static final int NO_TYPE = -1;

    /** Says what lies there. */
    public enum Kind {
        VARIABLE,
        PARAMETER,
        /** The address that the function returns to. */
        RETURN,
        /** A register of the caller that the function has saved. */
        SAVED
    }

    /** Returns whether the byte at an offset from the canonical frame address is one of it. */
    public boolean holds(long at) {
        return at >= offset && at < (long) offset + size;
    }
}
