package dev.madt.trace.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The numbers of docs/FORMAT.md, payload of an EVTS frame.
 *
 * <pre>
 *   0 records | 4 words | 8 loads | 12 stores | 16 blocks | 20 allocations
 *   24 control bytes | 28 residual bytes
 *   32 allocations in a short form | 36 ends in a short form | 40 size bytes | 44 place bytes
 *   48 kinds of records ... | codes of words ... | control ... | residuals ...
 *   codes of sizes ... | of places ... | of ends ... | sizes ... | places ... | 8 zeros
 * </pre>
 */
public final class EventsLayout {
    static final int RECORDS_AT = 0;
    static final int WORDS_AT = 4;
    public static final int LOADS_AT = 8;
    public static final int STORES_AT = 12;
    public static final int BLOCKS_AT = 16;
    public static final int ALLOCATIONS_AT = 20;
    static final int CONTROL_AT = 24;
    static final int RESIDUALS_AT = 28;
    static final int BIRTHS_AT = 32;
    static final int ENDS_AT = 36;
    static final int SIZES_AT = 40;
    public static final int HEAD_BYTES = 48;
    /** Behind the residuals, so that the last one can be taken by a load of 8 bytes. */
    public static final int PADDING = 8;

    /**
     * Kind of a record, 2 bits: the likely one behind the record before it, with the same epoch.
     */
    public static final int LIKELY = 0;
    /** The second likely one, with the same epoch. */
    public static final int SECOND = 1;
    /** Control says which. */
    public static final int TURN = 2;

    /** Bits 0 and 1 of a control byte: which record it is; LIKELY and SECOND as above. */
    public static final int WHICH = 3;

    public static final int LISTED = 2;
    public static final int NEW = 3;
    public static final int EPOCH = 4;
    public static final int CONTROL_BITS = 7;

    /** Code of a word, 4 bits: the access was not made. */
    public static final int NOT_MADE = 15;
    /** The residual is to the difference of the word before it. */
    public static final int NEIGHBOUR = 8;

    /** Words of a frame, headers of records included. */
    public static final int MOST_WORDS = 1 << 20;
    /** Words whose codes are in one load of 8 bytes, wherever they begin in a byte. */
    public static final int CODES_AT_ONCE = 15;
    /** No record is longer: a chunk has no more words. */
    public static final int MOST_RECORD_WORDS = 1 << 14;

    private static final int LEAST_IN_PIECES = 1 << 14;

    public static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EventsLayout() {}

    /** Bytes of the kinds of so many records. */
    public static int kindBytes(int records) {
        return records + 3 >>> 2;
    }

    /**
     * Ends of the pieces of a well-formed payload that are packed one by one: its columns, but all
     * of it where that is short.
     */
    public static int[] pieces(ByteBuffer payload) {
        int all = payload.remaining();
        if (all < LEAST_IN_PIECES) {
            return new int[] {all};
        }
        int records = payload.getInt(RECORDS_AT);
        int kinds = HEAD_BYTES + kindBytes(records);
        int codes = kinds + codeBytes(payload.getInt(WORDS_AT) - records);
        int control = codes + payload.getInt(CONTROL_AT);
        int residuals = control + payload.getInt(RESIDUALS_AT);
        if (residuals == all - PADDING) {
            return new int[] {kinds, codes, control, all};
        }
        int sizeCodes = residuals + kindBytes(payload.getInt(BIRTHS_AT));
        int placeCodes = sizeCodes + kindBytes(payload.getInt(BIRTHS_AT));
        int endCodes = placeCodes + kindBytes(payload.getInt(ENDS_AT));
        int sizes = endCodes + payload.getInt(SIZES_AT);
        return new int[] {
            kinds, codes, control, residuals, sizeCodes, placeCodes, endCodes, sizes, all
        };
    }

    /** Bytes of the codes of so many words. */
    public static int codeBytes(int words) {
        return words + 1 >>> 1;
    }
}
