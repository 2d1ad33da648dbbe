package dev.madt.view.defects;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which bytes of stacks functions have left behind, and nobody has written since: a bit each.
 */
final class DeadBytes {
    private static final int PAGE_BITS = 12;
    private static final int WORDS = 64;

    private final LongObjectHashMap<long[]> pages = new LongObjectHashMap<>();
    private long last = -1;
    private long[] lastPage;

    /** A function has left bytes behind. */
    void set(long address, long length) {
        long end = address + length;
        for (long at = address; at < end; at = (at | 63) + 1) {
            long[] page = page(at >>> PAGE_BITS);
            if (page == null) {
                page = new long[WORDS];
                pages.put(at >>> PAGE_BITS, page);
                lastPage = page;
            }
            page[word(at)] |= mask(at, end);
        }
    }

    /** The bytes are written, or nobody knows. */
    void clear(long address, long length) {
        if (pages.isEmpty()) {
            return;
        }
        long end = address + length;
        for (long at = address; at < end; ) {
            long[] page = page(at >>> PAGE_BITS);
            if (page == null) {
                at = (at | (1L << PAGE_BITS) - 1) + 1;
            } else {
                page[word(at)] &= ~mask(at, end);
                at = (at | 63) + 1;
            }
        }
    }

    /** Returns whether there is at least one byte and all are dead. */
    boolean all(long address, long length) {
        long end = address + length;
        for (long at = address; at < end; at = (at | 63) + 1) {
            long[] page = page(at >>> PAGE_BITS);
            long mask = mask(at, end);
            if (page == null || (page[word(at)] & mask) != mask) {
                return false;
            }
        }
        return length > 0;
    }

    private static int word(long address) {
        return (int) (address >>> 6) & WORDS - 1;
    }

    /** The bits of the bytes from an address to an end, within its word. */
    private static long mask(long at, long end) {
        long stop = Math.min(end, (at | 63) + 1);
        long count = stop - at;
        return (count == 64 ? -1 : (1L << count) - 1) << at;
    }

    private long[] page(long number) {
        if (number != last) {
            last = number;
            lastPage = pages.get(number);
        }
        return lastPage;
    }
}
