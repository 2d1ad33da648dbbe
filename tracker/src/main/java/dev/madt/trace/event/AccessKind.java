package dev.madt.trace.event;

/**
 * What a word of a run tells: what an instruction does to the memory of one operand, or a probe's.
 * The codes are those of {@code enum madt_access}, and of {@code enum madt_probe_kind} and
 * {@code enum madt_payload}, which are {@link dev.madt.trace.layout.ProbeKind} and
 * {@link dev.madt.trace.layout.PayloadKind}.
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
    /** A basic block begins. */
    BLOCK(8),
    /** A basic block ends. */
    BLOCK_END(9),
    /** An instruction runs. */
    INSTRUCTION(10),
    /** A system call is about to be made. */
    SYSTEM_CALL(11),
    /** An address that a probe records. */
    ADDRESS(16),
    /** What lies in memory. */
    MEMORY(17),
    /** Where a function returns to. */
    RETURN(18),
    /** How often a probe was met. */
    COUNTER(19),
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
            case 8 -> BLOCK;
            case 9 -> BLOCK_END;
            case 10 -> INSTRUCTION;
            case 11 -> SYSTEM_CALL;
            case 16 -> ADDRESS;
            case 17 -> MEMORY;
            case 18 -> RETURN;
            case 19 -> COUNTER;
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
