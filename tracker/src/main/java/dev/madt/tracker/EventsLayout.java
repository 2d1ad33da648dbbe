package dev.madt.tracker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The numbers of docs/FORMAT.md, payload of an EVTS frame.
 *
 * <pre>
 *   0 runs | 4 words | 8 loads | 12 stores | 16 blocks | 20 allocations | 24 control bytes | 28 residual bytes
 *   32 control ... | residuals ... | 8 zeros
 * </pre>
 */
final class EventsLayout {
    static final int RUNS_AT = 0;
    static final int WORDS_AT = 4;
    static final int LOADS_AT = 8;
    static final int STORES_AT = 12;
    static final int BLOCKS_AT = 16;
    static final int ALLOCATIONS_AT = 20;
    static final int CONTROL_AT = 24;
    static final int RESIDUALS_AT = 28;
    static final int HEAD_BYTES = 32;
    /** Behind the residuals, so that the last one can be taken by a load of 8 bytes. */
    static final int PADDING = 8;

    /** Bits 0 and 1 of a control byte: which run it is. */
    static final int WHICH = 3;
    static final int LIKELY = 0;
    static final int SECOND = 1;
    static final int LISTED = 2;
    static final int NEW = 3;
    static final int EPOCH = 4;
    static final int SHAPE = 8;
    static final int CONTROL_BITS = 15;

    /** Words that share a shape: 4 bits for each. */
    static final int PIECE = 16;
    static final int NOT_MADE = 15;
    /** In a word's 4 bits: the residual is to the difference of the word before it. */
    static final int NEIGHBOUR = 8;

    /** Words of a frame, headers of runs included. */
    static final int MOST_WORDS = 1 << 20;
    /** No run is longer: a chunk has no more words. */
    static final int MOST_RUN_WORDS = 1 << 14;

    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EventsLayout() {}

    /** Bytes of shape of a run with so many words. */
    static int shapeBytes(int words) {
        return words + 1 >> 1;
    }

    /** The shape of so many words of which none was made. */
    static long noneMade(int words) {
        return words == 0 ? 0 : -1L >>> 64 - 4 * words;
    }
}
