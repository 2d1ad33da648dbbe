package dev.madt.trace.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The numbers of docs/FORMAT.md, trace file.
 *
 * <pre>
 *   0          8    10  12         16
 *   MADTRACE | 11 | 0 | features | frame | frame | ... | INDX frame
 *
 *   frame head: 0 type | 4 pid | 8 tid | 12 raw length | 16 stored length | 20 flags | 24 checksum
 * </pre>
 */
public final class TraceLayout {
    /** "MADTRACE" as a little-endian integer. */
    public static final long MAGIC = 0x454341525444414dL;

    public static final int VERSION = 11;

    /** Feature: the trace may tell of functions that are entered and left. */
    public static final int CALLS = 1 << 16;
    /** Feature: and of their arguments and results. */
    public static final int ARGUMENTS = 1 << 17;
    /** Features that a reader must know to read the trace; it may ignore the others. */
    public static final int FEATURES_ESSENTIAL = 0xffff;

    public static final int VERSION_AT = 8;
    public static final int FEATURES_AT = 12;
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
