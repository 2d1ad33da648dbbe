package dev.madt.trace.layout;

/** What a word behind the first of a probe's run tells ({@code enum madt_payload}). */
public enum PayloadKind {
    /** The time stamp counter; the first word of a payload, or none. */
    TIME(6),
    /** What a register or the stack holds; its place is an {@code enum madt_value}. */
    VALUE(7),
    /** A register and a distance, or an address of the module. */
    ADDRESS(16),
    /** What lies there; all ones where it cannot be read. */
    MEMORY(17),
    /** Where a function returns to. */
    RETURN(18),
    /** How often the thread came to a probe with this counter. */
    COUNTER(19);

    private final int code;

    PayloadKind(int code) {
        this.code = code;
    }

    /** The number of this kind in plans and traces. */
    public int code() {
        return code;
    }
}
