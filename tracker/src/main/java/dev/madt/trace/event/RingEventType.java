package dev.madt.trace.event;

/**
 * Types of ring events; the codes are those of {@code enum madt_event_type} in madt_layout.h, which
 * says what each carries.
 */
public enum RingEventType {
    /** In traces: what a newer recorder wrote, be it an event or a run; all else is 0. */
    UNKNOWN(0),
    MALLOC(1),
    CALLOC(2),
    MMAP(3),
    REALLOC_BEGIN(4),
    REALLOC_END(5),
    MREMAP_BEGIN(6),
    MREMAP_END(7),
    FREE(8),
    MUNMAP(9),
    BREAK(10),
    MODULE_LOAD(16),
    MODULE_UNLOAD(17),
    REGION_MAP(18),
    REGION_UNMAP(19),
    REGION_PROTECT(20),
    HEAP(21),
    THREAD_START(24),
    THREAD_END(25),
    RECORD_START(28),
    RECORD_STOP(29),
    FORK(30),
    EXEC(31),
    FORK_BEGIN(32),
    EXIT(33),
    INHERIT(34),
    WAITED(35),
    PAUSE(36),
    AWAY(37),
    SYSTEM_CALL(38);

    private static final RingEventType[] BY_CODE = new RingEventType[39];

    static {
        for (RingEventType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    RingEventType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * The type with this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static RingEventType of(int code) {
        RingEventType type = inTrace(code);
        if (type == UNKNOWN) {
            throw new IllegalArgumentException("ring event type " + code);
        }
        return type;
    }

    /** The type with this code in a trace; {@link #UNKNOWN} if there is none. */
    public static RingEventType inTrace(int code) {
        return code < 0 || code >= BY_CODE.length || BY_CODE[code] == null
                ? UNKNOWN
                : BY_CODE[code];
    }
}
