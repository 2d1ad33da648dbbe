package dev.madt.trace.event;

import java.util.Arrays;
import java.util.List;

/**
 * Types of ring events. They are those of madt_events.schema, which says what each carries;
 * {@link TraceEvent} has its words by their names.
 */
public enum RingEventType {
    /** In traces: what a newer recorder wrote, be it an event or a record; all else is 0. */
    UNKNOWN(0, Line.NONE, false),
    MALLOC(1, 'M', true),
    CALLOC(2, 'C', true),
    MMAP(3, 'P', true),
    REALLOC_BEGIN(4, Line.NONE, true),
    REALLOC_END(5, 'R', true),
    MREMAP_BEGIN(6, Line.NONE, true),
    MREMAP_END(7, 'E', true),
    FREE(8, 'F', true),
    MUNMAP(9, 'U', true),
    BREAK(10, 'P', true),
    MODULE_LOAD(16, Line.NONE, false),
    MODULE_UNLOAD(17, Line.NONE, false),
    REGION_MAP(18, Line.NONE, true),
    REGION_UNMAP(19, Line.NONE, false),
    REGION_PROTECT(20, Line.NONE, false),
    HEAP(21, Line.NONE, false),
    THREAD_START(24, Line.NONE, true),
    THREAD_END(25, Line.NONE, true),
    THREAD_NAME(26, Line.NONE, true),
    RECORD_START(28, Line.NONE, true),
    RECORD_STOP(29, Line.NONE, true),
    FORK(30, Line.NONE, true),
    EXEC(31, Line.NONE, true),
    FORK_BEGIN(32, Line.NONE, false),
    EXIT(33, Line.NONE, true),
    INHERIT(34, Line.NONE, true),
    WAITED(35, Line.NONE, true),
    PAUSE(36, Line.NONE, true),
    OFF_CPU(37, Line.NONE, true),
    SYSTEM_CALL(38, Line.NONE, true),
    CHAIN_NODE(39, Line.NONE, true),
    NAMED_ALLOC(40, 'M', true),
    NAMED_REALLOC_BEGIN(41, Line.NONE, true),
    NAMED_REALLOC_END(42, 'R', true),
    NAMED_FREE(43, 'F', true),
    POOL_END(44, Line.NONE, false),
    TLS_THREAD(45, Line.NONE, false),
    TLS_MODULE(46, Line.NONE, false),
    TLS_BLOCK(47, Line.NONE, false),
    INSTRUMENT_HIT(
            48,
            'T',
            true,
            "place: number",
            "value1: number",
            "value2: number",
            "value3: number",
            "code: code"),
    INSTRUMENT_VALUES(49, Line.NONE, true),
    INSTRUMENT_COUNT(50, Line.NONE, true),
    INSTRUMENT_ROW(51, Line.NONE, true),
    INSTRUMENT_TIMES(52, Line.NONE, true),
    FREE_AMONG(53, Line.NONE, false),
    OPEN_FUNCTION(54, Line.NONE, true),
    USABLE(55, Line.NONE, true),
    LOCK_GOT(
            56,
            'K',
            true,
            "lock: address",
            "asked: ticks",
            "waited: duration",
            "how: text",
            "code: code"),
    LOCK_RELEASED(
            57,
            'V',
            true,
            "lock: address",
            "time: ticks",
            "held: duration",
            "depth: number",
            "code: code"),
    LOCK_UNDONE(58, Line.NONE, true),
    THREAD_SYNC(59, Line.NONE, true),
    MAPPING_CHAIN(60, Line.NONE, true),
    CRASH(61, Line.NONE, true),
    GO_ALLOC(62, 'M', true);

    private static final RingEventType[] BY_CODE = new RingEventType[1 << 8];

    static {
        for (RingEventType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    /** A constant of an enumeration cannot be used by its constants. */
    private static final class Line {
        private static final char NONE = 0;
    }

    private final int code;
    private final char letter;
    private final boolean inTraces;
    private final boolean allocation;
    private final List<EventWord> words;

    /** @param words those of its line, if it is printed by them alone */
    RingEventType(int code, char letter, boolean inTraces, String... words) {
        this.code = code;
        this.letter = letter;
        this.inTraces = inTraces;
        this.words = EventWord.all(words);
        this.allocation = letter != Line.NONE && this.words.isEmpty();
    }

    public int code() {
        return code;
    }

    /** The first character of the line of such an event; 0 for a type that has none. */
    public char letter() {
        return letter;
    }

    /** Returns whether such events are allocation events: they have lines with names of blocks. */
    public boolean isAllocation() {
        return allocation;
    }

    /** Returns whether such events are of allocators: all of allocation but those of mappings. */
    public boolean isOfHeap() {
        return allocation && "PEU".indexOf(letter) < 0;
    }

    /** Returns whether the line of such an event is its words, by their types. */
    public boolean isPrintedByWords() {
        return !words.isEmpty();
    }

    /** Returns the words of its line, if it is printed by them alone. */
    public List<EventWord> words() {
        return words;
    }

    /** Returns the first of the words of its line that has a type, or null. */
    public EventWord first(EventWord.Type type) {
        for (EventWord word : words) {
            if (word.type() == type) {
                return word;
            }
        }
        return null;
    }

    /** Returns the types whose events are printed by their words alone. */
    public static List<RingEventType> printedByWords() {
        return Arrays.stream(values()).filter(RingEventType::isPrintedByWords).toList();
    }

    /** Returns whether such events stand in traces as they do in the ring. */
    public boolean inTraces() {
        return inTraces;
    }

    /**
     * The type with this code.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static RingEventType of(int code) {
        RingEventType type = ofTrace(code);
        if (type == UNKNOWN) {
            throw new IllegalArgumentException("ring event type " + code);
        }
        return type;
    }

    /** The type with this code in a trace; {@link #UNKNOWN} if there is none. */
    public static RingEventType ofTrace(int code) {
        return code < 0 || code >= BY_CODE.length || BY_CODE[code] == null
                ? UNKNOWN
                : BY_CODE[code];
    }
}
