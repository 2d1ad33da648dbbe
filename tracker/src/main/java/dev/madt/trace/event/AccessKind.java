package dev.madt.trace.event;

/**
 * Says what a word of a record tells: what an instruction does to the memory of one operand, or a
 * probe's. The codes are those of {@code enum madt_access}, {@code enum madt_probe_kind} and
 * {@code enum madt_payload}, by the roles of words; Java has them nowhere else.
 */
public enum AccessKind {
    /** Memory is loaded. As a kind of probe: accesses of any kind are recorded. */
    LOAD(1, Role.ACCESS),
    STORE(2, Role.ACCESS),
    MODIFY(3, Role.ACCESS),
    /** A function is entered: the word is the stack pointer. */
    ENTER(4, Role.PROBE),
    /** A function is left: the word is the stack pointer, equal to that of its enter. */
    LEAVE(5, Role.PROBE),
    /** The time stamp counter; the first word of a payload, or none. */
    TIME(6, Role.PAYLOAD),
    /** Tells what a register or the stack holds; its operand is an {@code enum madt_value}. */
    VALUE(7, Role.PAYLOAD),
    /** A basic block begins. */
    BLOCK(8, Role.PROBE),
    /** The last instruction of a basic block is about to run. */
    BLOCK_END(9, Role.PROBE),
    /** An instruction runs. */
    INSTRUCTION(10, Role.PROBE),
    /** A system call is about to be made. */
    SYSTEM_CALL(11, Role.PROBE),
    /** A function is entered through a wrapper; nothing is recorded. */
    HOOK(12, Role.PROBE),
    /** Instruments of the user's stand here. */
    INSTRUMENT(13, Role.PROBE),
    /** A function goes on in code that records no call; in traces it is a {@link #LEAVE}. */
    GONE(14, Role.PROBE),
    /** A register and a distance, or an address of the module. */
    ADDRESS(16, Role.PAYLOAD),
    /** Tells what lies there; all ones where it cannot be read. */
    MEMORY(17, Role.PAYLOAD),
    /** Tells where a function returns to. */
    RETURN(18, Role.PAYLOAD),
    /** Tells how often the thread came to a probe with this counter. */
    COUNTER(19, Role.PAYLOAD),
    /** Tells what a function of libmadt.so answers. */
    ANSWER(20, Role.PAYLOAD),
    /** Eight bytes of a text; all ones where they cannot be read. */
    TEXT(21, Role.PAYLOAD),
    /** Says what a function does that is entered through a wrapper. */
    ROLE(22, Role.PAYLOAD),
    /** One is added to a count; no word of a record. */
    COUNT(23, Role.PAYLOAD),
    /** A step of what says whether a hit is taken; no word of a record. */
    GUARD(24, Role.PAYLOAD),
    /** A function is called; no word of a record. */
    FUNCTION(25, Role.PAYLOAD),
    /** In traces: what a newer recorder wrote. The first word is all ones if it was not made. */
    UNKNOWN(255, Role.UNKNOWN);

    /** Says where a word stands in its record. */
    public enum Role {
        /** Anywhere: it is an access. */
        ACCESS,
        /** The first word of a probe: the stack pointer. */
        PROBE,
        /** Behind the first word of a probe. */
        PAYLOAD,
        UNKNOWN
    }

    private static final AccessKind[] BY_CODE = new AccessKind[UNKNOWN.code];

    static {
        for (AccessKind kind : values()) {
            if (kind != UNKNOWN) {
                BY_CODE[kind.code] = kind;
            }
        }
    }

    private final int code;
    private final Role role;

    AccessKind(int code, Role role) {
        this.code = code;
        this.role = role;
    }

    /** The number of this kind in plans, code maps and TMPL frames. */
    public int code() {
        return code;
    }

    /** The role of its words. */
    public Role role() {
        return role;
    }

    /** Returns whether it loads. */
    public boolean loads() {
        return this == LOAD || this == MODIFY;
    }

    /** Returns whether it stores. */
    public boolean stores() {
        return this == STORE || this == MODIFY;
    }

    /** Returns whether it is no access. */
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
        if (code < 0 || code >= BY_CODE.length || BY_CODE[code] == null) {
            throw new IllegalArgumentException("access kind " + code);
        }
        return BY_CODE[code];
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
