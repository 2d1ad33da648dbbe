package dev.madt.trace.event;

/**
 * What a word of a run tells: what an instruction does to the memory of one operand, or a probe's;
 * the codes are those of {@code enum madt_access}.
 */
public enum AccessKind {
    LOAD(1),
    STORE(2),
    MODIFY(3),
    /** A function is entered: the word is the stack pointer. */
    ENTER(4),
    /** A function is left: the word is the stack pointer, equal to that of its enter. */
    LEAVE(5),
    /** The time stamp counter, behind one of the two. */
    TIME(6),
    /** An argument or the result of a function, behind these; its operand says where it was. */
    VALUE(7),
    /** In traces: what a newer recorder wrote. The first word is all ones if it was not made. */
    UNKNOWN(255);

    private final int code;

    AccessKind(int code) {
        this.code = code;
    }

    /** The number of this kind in code maps and RUNS frames. */
    public int code() {
        return code;
    }

    /** Whether it loads. */
    public boolean loads() {
        return this == LOAD || this == MODIFY;
    }

    /** Whether it stores. */
    public boolean stores() {
        return this == STORE || this == MODIFY;
    }

    /** Whether it is no access. */
    public boolean probes() {
        return code > MODIFY.code;
    }

    /** Accesses that one word stands for: a modify is two. */
    public int accesses() {
        return (loads() ? 1 : 0) + (stores() ? 1 : 0);
    }

    /**
     * The kind with this number.
     *
     * @throws IllegalArgumentException if no kind has it
     */
    public static AccessKind of(int code) {
        return switch (code) {
            case 1 -> LOAD;
            case 2 -> STORE;
            case 3 -> MODIFY;
            case 4 -> ENTER;
            case 5 -> LEAVE;
            case 6 -> TIME;
            case 7 -> VALUE;
            default -> throw new IllegalArgumentException("access kind " + code);
        };
    }

    /**
     * The kind with this number in a trace; {@link #UNKNOWN} above the others.
     *
     * @throws IllegalArgumentException if it is 0 or less, which is none
     */
    public static AccessKind ofTrace(int code) {
        return code > VALUE.code ? UNKNOWN : of(code);
    }
}
