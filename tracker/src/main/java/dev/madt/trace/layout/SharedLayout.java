package dev.madt.trace.layout;

/**
 * The Java mirror of madt-native/include/madt_layout.h: the same numbers, under the same names
 * without the prefix {@code MADT_}. A structure is a nested class whose constants are the byte
 * offsets of its fields, with {@code BYTES} for its size. A test compiles the header and compares
 * every number.
 */
public final class SharedLayout {
    public static final int LAYOUT_VERSION = 28;
    public static final int LAUNCHER_THREAD = 0x3fffffff;
    public static final int LAUNCHER_DIED = 0x40000000;
    public static final int PAGE = 4096;

    public static final long SESSION_MAGIC = 0x535345535444414dL;
    public static final long CONTROL_MAGIC = 0x4c5254435444414dL;
    public static final long BUFFER_MAGIC = 0x464655425444414dL;
    public static final long CODEMAP_MAGIC = 0x45444f435444414dL;

    public static final int ENGINE_TRAP = 1;
    public static final int ENGINE_SPLICE = 2;
    public static final int START_MAIN = 0;
    public static final int START_LOAD = 1;
    public static final int START_MARKER = 2;
    public static final int START_FUNCTION = 3;
    public static final int START_RETURN = 4;
    public static final int START_AFTER = 5;
    public static final int START_SIGNAL = 6;
    public static final int START_READ = 7;
    public static final int START_CONTROL = 8;
    public static final int START_FOR = 9;
    public static final int START_FORK = 10;
    public static final int TRIGGER_BYTES = 52;
    public static final int POINT_OPENS = 1;
    public static final int POINT_CLOSES = 2;
    public static final int ASKED_NOTHING = 0;
    public static final int ASKED_OPEN = 1;
    public static final int ASKED_CLOSE = 2;
    public static final long ASK_VALUE = 0x4d41445457494e44L;
    public static final int ASKED_BY = 11;
    public static final long LEAVE_VALUE = 0x4d4144544c454156L;
    public static final int SESSION_LOSSY = 1;
    public static final int SESSION_FOLLOW = 2;
    public static final int SESSION_TIMES = 4;
    public static final int SESSION_TLS = 16;
    public static final int SESSION_HANDED = 32;
    public static final int SESSION_EVERY = 8;
    public static final int SESSION_LIBRARY = 64;
    public static final int SESSION_PAUSES = 128;
    public static final int SESSION_OPEN = 256;
    public static final int PROGRAMS_SIZE = 3788;
    public static final int SCOPE_HEAP = 1;
    public static final int SCOPE_MAPPED = 2;
    public static final int EXEC_TRACED = 0;
    public static final int EXEC_UNTRACED = 1;
    public static final int EXEC_SECURE = 2;
    public static final int EXEC_APART = 3;
    public static final int EXEC_MEMORY = 4;
    public static final int EXEC_STATIC = 5;

    public static final long AREA_BYTES = 1L << 31;
    public static final long RATE_LIMIT_AT = 2L << 20;
    public static final long RATE_LIMIT_BYTES = 2L << 20;
    public static final long POINTS_AT = 4L << 20;
    public static final long POINTS_BYTES = 28L << 20;
    public static final long ANSWER_AT = 32L << 20;
    public static final long BUFFERS_AT = 256L << 20;
    public static final long PREPARED_AT = 248L << 20;
    public static final long PREPARED_BYTES = BUFFERS_AT - PREPARED_AT;
    public static final long ANSWER_BYTES = PREPARED_AT - ANSWER_AT;
    public static final long BUFFER_BYTES = 4L << 20;
    public static final long COUNTS_AT = 1536L << 20;
    public static final long COUNTS_BYTES = 512L << 20;
    public static final int COUNTS_MOST = 262144;
    public static final long SWITCHES_AT = 3L << 19;
    public static final long SWITCHES_BYTES = 1L << 19;
    public static final int SWITCHES_MOST = 32768;
    public static final long LIBRARY_AT = 32L << 20;
    public static final long LIBRARY_MOST = 32L << 20;
    public static final long LIBRARY_PLACES_AT = 64L << 20;
    public static final int LIBRARY_PLACES = 65536;
    public static final int LIBRARY_COUNTS = 65;
    public static final int LIBRARY_NAME = 112;
    public static final int IMPORT_NONE = 0;
    public static final int IMPORT_READ = 1;
    public static final int IMPORT_TEXT = 2;
    public static final int IMPORT_COPY = 3;
    public static final int IMPORT_FILL = 4;
    public static final int IMPORT_COMPARE = 5;
    public static final int IMPORT_LENGTH = 6;
    public static final int IMPORT_SMASHED = 7;
    public static final int IMPORT_NOWHERE = 8;
    public static final int IMPORTS = 9;
    public static final int RATE_LIMIT_SECOND = 0x40000000;

    public static final int NAMES_OFFSET = PAGE;
    public static final int NAMES_SIZE = 262144;
    public static final int RING_OFFSET = NAMES_OFFSET + NAMES_SIZE;
    public static final int RING_SLOTS = 16384;
    public static final int OWN_OFFSET = RING_OFFSET + RING_SLOTS * Event.BYTES;
    public static final int OWN_RANGES = 4096;
    public static final int TRAPS_OFFSET = OWN_OFFSET + OWN_RANGES * Range.BYTES;
    public static final int TRAP_SITES = 1024;
    public static final int CONTROL_SIZE = TRAPS_OFFSET + TRAP_SITES * TrapSite.BYTES;

    public static final int TRAP_INSIDE = 0;
    public static final int TRAP_SITE = 1;
    public static final int TRAP_STEP = 2;

    public static final int STATE_EMPTY = 0;
    public static final int STATE_ATTACHED = 1;
    public static final int STATE_READY = 2;
    public static final int STATE_CLOSED = 3;

    public static final int STOP_ACCESSES = 1;
    public static final int STOP_EVERYTHING = 2;

    public static final int LEFT_DEBUGGED = 1;
    public static final int LEFT_FILTERED = 2;
    public static final int LEFT_I386 = 3;
    public static final int LEFT_SPACE = 4;
    public static final int LEFT_THREADS = 5;
    public static final int LEFT_DETACHED = 6;
    public static final int LEAVE_TRACED = 1;
    public static final int LEAVE_DETACHED = 2;
    public static final int LEAVE_SEEN = 3;
    public static final int LEAVE_TAKEN = 4;
    public static final long MAP_OF_THREAD = 0x100000000L;

    public static final int REQUEST_IDLE = 0;
    public static final int REQUEST_ASKED = 1;
    public static final int REQUEST_ANSWERED = 2;
    public static final int REQUEST_HOOKS = 0x40000000;
    public static final int REQUEST_INHERIT = 0x20000000;
    public static final int REQUEST_ANEW = 0x10000000;
    public static final int REQUEST_COPY = 0x08000000;
    public static final int REQUEST_RENEW = 0x04000000;
    public static final long PLANS_NEWEST = 0xffff_ffffL;
    public static final int PLANS_TAKEN = 0;
    public static final int PLANS_BUSY = 1;
    public static final int PLANS_NO_PLACE = 2;
    public static final int PLANS_CHANGED = 3;
    public static final int PLANS_NAMED = 4;

    public static final int FREE = 0;
    public static final int BUSY = 1;
    public static final int READY = 2;
    public static final int EVENT_CALLERS = 1;
    public static final long CALL_BROKEN = 1L << 32;
    public static final long CALL_OPEN = 1L << 33;

    public static final int CHUNK_WORDS = 16384;
    public static final int CHUNK_BYTES = CHUNK_WORDS * 8;
    public static final int CHUNK_STRIDE = CHUNK_BYTES + PAGE;
    public static final int CHUNK_HEADER_WORDS = 8;
    public static final int FIRST_BUFFER_CHUNKS = 31;
    public static final int BUFFERS_MAX = 320;
    public static final int CHUNK_RAW = 0;
    public static final int CHUNK_CLEAN = 1;
    public static final int CHUNK_LIVE = 2;

    public static final long WORD_NONE = -1L;
    public static final int TEMPLATE_RESERVED = 0x7fffffff;
    public static final int TEMPLATE_EVENT = 0;
    public static final int TEMPLATE_COPY = 1;
    public static final int TEMPLATE_STORE = 2;
    public static final int TEMPLATE_FETCH = 3;
    public static final int TEMPLATE_LOAD_UNKNOWN = 4;
    public static final int TEMPLATE_WRITE_UNKNOWN = 5;
    public static final int TEMPLATE_THREAD = 6;
    /** In no file: how often a template was of which a frame has no record. */
    public static final int TEMPLATE_TIMES = 7;
    /** Trace file only: an event of malloc, calloc or free, in columns of their own. */
    public static final int TEMPLATE_SITE = 12;

    public static final int TEMPLATE_FIRST_MODULE = 16;
    public static final long CODE_EXACT = 1L << 63;
    public static final int CHAIN_CALLS = 64;
    /** Says why a chain of calls has no further caller: nobody called. */
    public static final int CUT_NONE = 0;
    /** Likewise: no unwind table tells the caller. */
    public static final int CUT_TABLE = 1;
    /** Likewise: no more of them are to be told. */
    public static final int CUT_DEPTH = 2;

    public static final int CODEMAP_VERSION = 5;
    public static final int CODE_CALL = 1;
    public static final int CODE_CALL_DIRECT = 2;
    public static final int CODE_REP = 4;
    public static final int CODE_GAP = 8;
    public static final int CODE_PUSHF = 16;
    public static final int CODE_POPF = 32;
    public static final int FUNCTION_UNWIND = 1;
    public static final int FUNCTION_SYMBOL = 2;
    public static final int FUNCTION_START = 4;
    public static final int FUNCTION_CALLED = 8;
    public static final int FUNCTION_PART = 16;
    public static final int FUNCTION_STUB = 32;
    public static final int FUNCTION_ENTRY = 64;
    public static final int FUNCTION_WHOLE = 128;
    public static final int FUNCTION_OUTERMOST = 256;

    public static final int SHAPE_PLAIN = 0;
    public static final int SHAPE_BIT = 1;
    public static final int SHAPE_XLAT = 2;
    public static final int SHAPE_VECTOR = 3;
    public static final int SHAPE_MASKED = 4;
    public static final int SHAPE_COMPRESSED = 5;
    public static final int REGISTER_RIP = 16;
    public static final int REGISTER_FS = 19;
    public static final int REGISTER_NONE = 255;
    public static final int MASK_VECTOR = 128;
    public static final int OPERAND_STACK = 1;
    public static final int OPERAND_ADDRESS32 = 2;
    public static final int OPERAND_IMPLICIT = 4;
    public static final int SEGMENT_NONE = 0;
    public static final int SEGMENT_FS = 1;
    public static final int SEGMENT_GS = 2;

    private SharedLayout() {}

    /** Bytes of a buffer with this many chunks. */
    public static long bufferSize(int chunks) {
        return PAGE + (long) chunks * CHUNK_STRIDE;
    }

    /** Returns where in the session file the area of the process with this serial begins. */
    public static long area(int serial) {
        return (1 + (long) serial) * AREA_BYTES;
    }

    /** The header word of a record. */
    public static long recordHeader(int template, long epoch) {
        return 1L << 63 | (long) template << 32 | epoch & 0xffffffffL;
    }

    /** {@code struct madt_switch}: whether an instrument is on. */
    public static final class Switch {
        public static final int OFF = 0;
        public static final int TURNS = 4;
        public static final int HITS = 8;
        public static final int BYTES = 16;

        private Switch() {}
    }

    /** {@code struct madt_library}: the user's functions that instruments call. */
    public static final class Library {
        public static final int SIZE = 0;
        public static final int PARTS = 8;
        public static final int MOVES = 12;
        public static final int BYTES = 16;

        private Library() {}
    }

    /** {@code struct madt_library_part}: what may be done there. */
    public static final class LibraryPart {
        public static final int START = 0;
        public static final int END = 8;
        public static final int PROTECTION = 16;
        public static final int BYTES = 24;

        private LibraryPart() {}
    }

    /** {@code struct madt_library_move}: a word that is an address. */
    public static final class LibraryMove {
        public static final int AT = 0;
        public static final int IMPORT = 8;
        public static final int ADDEND = 16;
        public static final int BYTES = 24;

        private LibraryMove() {}
    }

    /** {@code struct madt_library_place}: where a function of the user's is called. */
    public static final class LibraryPlace {
        public static final int FUNCTION = 0;
        public static final int COUNTS = 8;
        public static final int INSTRUMENT = 12;
        public static final int NAME = 16;
        public static final int BYTES = 128;

        private LibraryPlace() {}
    }

    /** {@code struct madt_session}: the first page of the session file. */
    public static final class Session {
        public static final int MAGIC = 0;
        public static final int VERSION = 8;
        public static final int LAUNCHER_PID = 12;
        public static final int LAUNCHER_START = 16;
        public static final int ENGINE = 24;
        public static final int START = 28;
        public static final int FLAGS = 32;
        public static final int DOORBELL = 36;
        public static final int WAITING = 40;
        public static final int PROCESSES = 44;
        public static final int FAILURES = 48;
        public static final int LAST_ERRNO = 52;
        public static final int MAX_EVENTS = 56;
        public static final int SCOPE = 64;
        public static final int DISOWNED = 68;
        public static final int LAUNCHER = 72;
        public static final int MATCHED = 112;
        public static final int PASSED = 120;
        public static final int EXECUTING = 124;
        public static final int WINDOWS = 128;
        public static final int QUARANTINE = 280;
        public static final int CHAIN = 288;
        public static final int COUNTS = 292;
        public static final int SWITCHES = 296;
        public static final int COUNTING = 300;
        public static final int PLANS = 304;
        public static final int PROGRAMS = 308;
        public static final int BYTES = 4096;

        private Session() {}
    }

    /** {@code struct madt_trigger}, inside {@link Windows}. */
    public static final class Trigger {
        public static final int NANOS = 0;
        public static final int NUMBER = 8;
        public static final int TEXT = 12;
        public static final int BYTES = 64;

        private Trigger() {}
    }

    /** {@code struct madt_windows}, inside the session page at {@link Session#WINDOWS}. */
    public static final class Windows {
        public static final int OPENS = 0;
        public static final int CLOSES = 64;
        public static final int LASTS = 128;
        public static final int BEGUN = 136;
        public static final int MOST = 144;
        public static final int STOP = 148;
        public static final int BYTES = 152;

        private Windows() {}
    }

    /** {@code struct madt_rate_limit}: DIR/limit.SERIAL.N. */
    public static final class RateLimit {
        public static final int START = 0;
        public static final int END = 8;
        public static final int BYTES = 16;

        private RateLimit() {}
    }

    /** {@code struct madt_point}: DIR/points.N. */
    public static final class Point {
        public static final int ADDRESS = 0;
        public static final int ROLES = 4;
        public static final int ARMED = 5;
        public static final int SAVED = 6;
        public static final int LIFTED = 7;
        public static final int BYTES = 8;

        private Point() {}
    }

    /** {@code struct madt_request}, inside the control page at {@link Control#REQUEST}. */
    public static final class Request {
        public static final int STATE = 0;
        public static final int STATUS = 4;
        public static final int LOAD_BIAS = 8;
        public static final int START = 16;
        public static final int END = 24;
        public static final int FIRST_TEMPLATE = 32;
        public static final int UNTRACED = 36;
        public static final int MAP_LENGTH = 40;
        public static final int PATH = 48;
        public static final int MAP_PATH = 1072;
        public static final int VARIANT = 2096;
        public static final int HOOKS = 2100;
        public static final int POINTS = 2104;
        public static final int BYTES = 2112;

        private Request() {}
    }

    /** {@code struct madt_range}: from {@link #OWN_OFFSET} of an area on. */
    public static final class Range {
        public static final int START = 0;
        public static final int END = 8;
        public static final int BYTES = 16;

        private Range() {}
    }

    /** {@code struct madt_trap_site}: from {@link #TRAPS_OFFSET} of an area on. */
    public static final class TrapSite {
        public static final int PLACE = 0;
        public static final int COUNT = 8;
        public static final int BYTES = 16;

        private TrapSite() {}
    }

    /** {@code struct madt_prepared}: how many requests there are, and behind that the requests. */
    public static final class Prepared {
        public static final int COUNT = 0;
        public static final int REQUEST = 8;
        public static final int BYTES = 8;

        private Prepared() {}
    }

    /** {@code struct madt_control}: the first page of an area. */
    public static final class Control {
        public static final int MAGIC = 0;
        public static final int VERSION = 8;
        public static final int PID = 12;
        public static final int PARENT = 16;
        public static final int SERIAL = 20;
        public static final int STATE = 24;
        public static final int STOP = 28;
        public static final int BUFFERS = 32;
        public static final int NAMES_USED = 36;
        public static final int RECORDING = 40;
        public static final int CHUNK_SIGNAL = 44;
        public static final int CHUNK_WAITERS = 48;
        public static final int RING_SIGNAL = 52;
        public static final int RING_WAITERS = 56;
        public static final int PARENT_SERIAL = 60;
        public static final int RING_FREE = 64;
        public static final int RING_WRITE = 128;
        public static final int RING_READ = 192;
        public static final int RING_ERRORS = 256;
        public static final int ACCESS_ERRORS = 264;
        public static final int CHUNK_TICKET = 272;
        public static final int FAULTS = 280;
        public static final int UNKNOWN_SITES = 288;
        public static final int CALLS_GATED = 296;
        public static final int CALLS_OPENED = 304;
        public static final int UNSYNCHRONISED = 312;
        public static final int UNMAPPED_MODULES = 320;
        public static final int MISSED = 328;
        public static final int FORK_TICKET = 336;
        public static final int UNPLANNED_BYTES = 344;
        public static final int PATCH_TRAPS = 352;
        public static final int LEAVE = 360;
        public static final int LEFT = 364;
        public static final int ASKED = 368;
        public static final int ASKING = 372;
        public static final int RATE_LIMIT = 376;
        public static final int RATE_LIMITED = 380;
        public static final int VFORK_UNSEEN = 384;
        public static final int COUNTED = 392;
        public static final int UNCOUNTED = 396;
        public static final int TRIGGERS = 400;
        public static final int SWITCHED = 404;
        public static final int FOLLOWED = 408;
        public static final int PLANS = 412;
        public static final int PLANS_REFUSED = 416;
        public static final int OPENED = 420;
        public static final int CHAINS_CUT = 424;
        public static final int REQUEST = 512;
        public static final int BYTES = 3072;

        private Control() {}
    }

    /** {@code struct madt_event}: a slot of the ring. */
    public static final class Event {
        public static final int MARKER = 0;
        public static final int TYPE = 4;
        public static final int CALLERS = 6;
        public static final int TICKET = 8;
        public static final int THREAD = 16;
        public static final int NAME = 20;
        public static final int ADDRESS = 24;
        public static final int SIZE = 32;
        public static final int OLD = 40;
        public static final int OLD_SIZE = 48;
        public static final int CALLER = 56;
        public static final int BYTES = 64;

        private Event() {}
    }

    /** {@code struct madt_chunk_state}: one per chunk, in the head of a buffer file. */
    public static final class ChunkState {
        public static final int STATE = 0;
        public static final int THREAD = 4;
        public static final int TICKET = 8;
        public static final int BYTES = 16;

        private ChunkState() {}
    }

    /** {@code struct madt_buffer}: the head of a buffer file. */
    public static final class Buffer {
        public static final int MAGIC = 0;
        public static final int VERSION = 8;
        public static final int CHUNKS = 12;
        public static final int CHUNK_WORDS = 16;
        public static final int NUMBER = 20;
        public static final int RESERVED = 24;
        public static final int CHUNK = 64;
        public static final int BYTES = 64;

        private Buffer() {}
    }

    /** {@code struct madt_chunk}: the first words of a chunk. */
    public static final class Chunk {
        public static final int THREAD = 0;
        public static final int PROCESS = 4;
        public static final int EPOCH = 8;
        public static final int TSC = 16;
        public static final int FILLED = 24;
        public static final int RESERVED0 = 28;
        public static final int CALL_BEGUN = 32;
        public static final int CALL_NUMBER = 40;
        public static final int RESERVED = 48;
        public static final int BYTES = 64;

        private Chunk() {}
    }

    /** {@code struct madt_codemap}: the head of a code map file. */
    public static final class Codemap {
        public static final int MAGIC = 0;
        public static final int VERSION = 8;
        public static final int HEADER_SIZE = 12;
        public static final int FILE_SIZE = 16;
        public static final int TEXT_BYTES = 24;
        public static final int GAP_BYTES = 32;
        public static final int BAD_BYTES = 40;
        public static final int ENTRIES = 48;
        public static final int OPERANDS = 52;
        public static final int INSTRUCTIONS = 56;
        public static final int CHECKSUM = 60;
        public static final int BUILD_ID_LENGTH = 64;
        public static final int FUNCTIONS = 68;
        public static final int BUILD_ID = 72;
        public static final int TEXT_SUM = 104;
        public static final int RESERVED = 112;
        public static final int BYTES = 128;

        private Codemap() {}
    }

    /** {@code struct madt_code_entry}: one instruction. */
    public static final class CodeEntry {
        public static final int OFFSET = 0;
        public static final int LENGTH = 4;
        public static final int FLAGS = 5;
        public static final int OPERANDS = 6;
        public static final int WORDS = 7;
        public static final int FIRST_OPERAND = 8;
        public static final int TARGET = 12;
        public static final int BYTES = 16;

        private CodeEntry() {}
    }

    /** {@code struct madt_code_function}: where a function is. */
    public static final class CodeFunction {
        public static final int START = 0;
        public static final int END = 4;
        public static final int KINDS = 8;
        public static final int WHERE = 12;
        public static final int BYTES = 16;

        private CodeFunction() {}
    }

    /** {@code struct madt_code_operand}: one operand of an instruction. */
    public static final class CodeOperand {
        public static final int ACCESS = 0;
        public static final int SHAPE = 1;
        public static final int BASE = 2;
        public static final int INDEX = 3;
        public static final int SCALE = 4;
        public static final int SEGMENT = 5;
        public static final int FLAGS = 6;
        public static final int MASK = 7;
        public static final int SIZE = 8;
        public static final int ELEMENTS = 10;
        public static final int INDEX_SIZE = 11;
        public static final int MASK_SIZE = 12;
        public static final int NUMBER = 13;
        public static final int RESERVED = 14;
        public static final int DISPLACEMENT = 16;
        public static final int BYTES = 24;

        private CodeOperand() {}
    }
}
