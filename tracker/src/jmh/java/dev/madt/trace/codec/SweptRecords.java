package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;

/**
 * Records as a program writes them that sweeps over eight blocks and a table: four accesses each,
 * three that go on by a step and one that goes to a place of its block which no one can foresee.
 */
final class SweptRecords {
    static final int ACCESSES = 4;

    private static final int KINDS = 16;
    private static final int FIRST = 16;
    private static final long CODE = 0x401000;
    private static final long TABLE = 0x404000;
    private static final long HEAP = 0x800000;
    private static final int BLOCK_BYTES = 1 << 18;

    private SweptRecords() {}

    /** So many records, a header and the words of each. */
    static long[] words(int records) {
        long[] words = new long[records * (1 + ACCESSES)];
        long seed = 1;
        int at = 0;
        for (int n = 0; n < records; n++) {
            seed = seed * 0x5851_f42d_4c95_7f2dL + 1;
            words[at++] = SharedLayout.recordHeader(FIRST + n % KINDS, n / 1_009);
            words[at++] = block(n) + (seed >>> 40) % (BLOCK_BYTES / 8) * 8;
            words[at++] = block(n + 1) + n / 8 * 8 % BLOCK_BYTES;
            words[at++] = block(n + 2) + n / 8 * 8 % BLOCK_BYTES;
            words[at++] = TABLE + n * 4L % 0x8000;
        }
        return words;
    }

    private static long block(int number) {
        return HEAP + number % 8 * 2L * BLOCK_BYTES;
    }

    /** An empty frame that knows the templates. */
    static EventsFrame frame() {
        EventsFrame frame = new EventsFrame();
        for (int template = 0; template < KINDS; template++) {
            AccessSite[] sites = new AccessSite[ACCESSES];
            for (int i = 0; i < ACCESSES; i++) {
                AccessKind kind = i == ACCESSES - 1 ? AccessKind.STORE : AccessKind.LOAD;
                sites[i] = new AccessSite(CODE + 16L * template + 4 * i, 4, kind, 8, 0, false);
            }
            frame.define(FIRST + template, sites);
        }
        return frame;
    }
}
