package dev.madt.view.defects;

/**
 * Says which bytes of a block hold something that was written: a bit per byte, in pages that are
 * made when they are first written.
 */
final class WrittenBytes {
    private static final int PAGE_BITS = 12;
    private static final int WORDS = 64;
    private static final long MOST = 1L << 36;

    private final long size;
    private final long[][] pages;

    /** @param size at most {@link #MOST} */
    WrittenBytes(long size) {
        this.size = size;
        this.pages = new long[(int) (size + 4095 >>> PAGE_BITS)][];
    }

    static boolean takes(long size) {
        return size >= 0 && size <= MOST;
    }

    /** The bytes have been written. */
    void set(long offset, long length) {
        long from = Math.max(0, offset);
        long end = Math.min(size, offset + length);
        while (from < end) {
            long stop = Math.min(end, (from | 63) + 1);
            put(from, -1, (int) (stop - from));
            from = stop;
        }
    }

    /** Returns whether one of the bytes has been written; true where there is none. */
    boolean any(long offset, long length) {
        long from = Math.max(0, offset);
        long end = Math.min(size, offset + length);
        if (from >= end) {
            return true;
        }
        for (; from < end; from = (from | 63) + 1) {
            long bits = word(from) >>> from;
            if ((end - from < 64 ? bits & (1L << end - from) - 1 : bits) != 0) {
                return true;
            }
        }
        return false;
    }

    /** The bytes hold what others do. */
    void copy(WrittenBytes from, long fromOffset, long offset, long length) {
        long count = Math.min(length, size - offset);
        for (long done = 0; done < count; ) {
            long at = offset + done;
            long source = fromOffset + done;
            long step = Math.min(
                    count - done, Math.min((at | 63) + 1 - at, (source | 63) + 1 - source));
            boolean there = source < from.size;
            step = there ? Math.min(step, from.size - source) : step;
            put(at, there ? from.word(source) >>> source : -1, (int) step);
            done += step;
        }
    }

    /** The word of 64 bytes around an offset. */
    private long word(long offset) {
        long[] page = pages[(int) (offset >>> PAGE_BITS)];
        int index = (int) (offset >>> 6) & WORDS - 1;
        return page == null || index >= page.length ? 0 : page[index];
    }

    /** Sets the bits from an offset on, all within one word. */
    private void put(long offset, long bits, int count) {
        long mask = (count == 64 ? -1 : (1L << count) - 1) << offset;
        int number = (int) (offset >>> PAGE_BITS);
        long[] page = pages[number];
        if (page == null) {
            long words = size - ((long) number << PAGE_BITS) + 63 >>> 6;
            page = new long[(int) Math.min(WORDS, words)];
            pages[number] = page;
        }
        int index = (int) (offset >>> 6) & WORDS - 1;
        page[index] = page[index] & ~mask | bits << offset & mask;
    }
}
