package dev.madt.trace.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The numbers of docs/FORMAT.md, trace file.
 *
 * <pre>
 *   0          8   10  12  16
 *   MADTRACE | 7 | 2 | 0 | frame | frame | ... | INDX frame
 *
 *   frame head: 0 type | 4 pid | 8 tid | 12 raw length | 16 stored length | 20 flags | 24 checksum
 * </pre>
 */
public final class TraceLayout {
    /** "MADTRACE" as a little-endian integer. */
    public static final long MAGIC = 0x454341525444414dL;

    /** Of traces without calls. */
    public static final int VERSION = 7;
    /** Of traces that may tell of functions that are entered and left. */
    public static final int CALLS_VERSION = 8;
    /** Of traces that may tell of arguments and results of functions, too. */
    public static final int ARGUMENTS_VERSION = 9;
    /** As {@link #CALLS_VERSION}, but with the frames of events that were written before. */
    public static final int OLD_CALLS_VERSION = 5;
    /** The oldest that is read: there ring events have no short form. */
    public static final int OLDEST_VERSION = 3;

    public static final int MINOR = 3;
    public static final int VERSION_AT = 8;
    public static final int HEADER_BYTES = 16;

    public static final int PID_AT = 4;
    public static final int TID_AT = 8;
    public static final int RAW_AT = 12;
    public static final int STORED_AT = 16;
    public static final int FLAGS_AT = 20;
    public static final int CHECKSUM_AT = 24;
    public static final int HEAD_BYTES = 28;

    public static final int FLAG_ZSTD = 1;
    /** Flags that a reader must know to understand the payload; it may ignore the others. */
    public static final int FLAGS_ESSENTIAL = 0xffff;

    public static final int MOST_RAW = 16 << 20;

    private TraceLayout() {}

    /** The first bytes of a trace. */
    public static byte[] magic() {
        return ByteBuffer.allocate(VERSION_AT)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .array();
    }
}
