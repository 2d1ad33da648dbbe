package dev.madt.trace.layout;

/** What happens at a probe ({@code enum madt_probe_kind}). */
public enum ProbeKind {
    /** Memory is accessed: it has no payload. */
    ACCESS(1),
    /** A function is entered. */
    ENTER(4),
    /** A function is left, at its return. */
    LEAVE(5),
    /** A basic block begins. */
    BLOCK(8),
    /** The last instruction of a basic block is about to run. */
    BLOCK_END(9),
    /** An instruction runs. */
    INSTRUCTION(10),
    /** A system call is about to be made. */
    SYSTEM_CALL(11);

    private final int code;

    ProbeKind(int code) {
        this.code = code;
    }

    /** The number of this kind in plans and traces. */
    public int code() {
        return code;
    }
}
