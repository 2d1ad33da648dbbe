package dev.madt.trace.event;

/**
 * What an instruction does to the memory of one operand; the codes are those of {@code enum
 * madt_access}.
 */
public enum AccessKind {
    LOAD(1),
    STORE(2),
    MODIFY(3);

    private final int code;

    AccessKind(int code) {
        this.code = code;
    }

    /** The number of this kind in code maps and RUNS frames. */
    public int code() {
        return code;
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
            default -> throw new IllegalArgumentException("access kind " + code);
        };
    }
}
