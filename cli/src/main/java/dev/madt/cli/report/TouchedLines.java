package dev.madt.cli.report;

/**
 * The cache lines (64 bytes) and pages (4,096 bytes) that were touched, exactly: a bit per line, a word per page, pages in a hash
 * table with open addressing. The page at hand stays out of the table. 32 bytes a page at most.
 */
public final class TouchedLines {
    static final int PAGE_BITS = 12;
    static final int LINE_BITS = 6;

    private static final int FIRST = 4;

    private long[] pages;
    private long[] masks;
    private int used;
    private long page = -1;
    private long mask;

    /** Notes the bytes from an address on; none if {@code size} is 0 or less. */
    public void touch(long address, long size) {
        long number = address >>> PAGE_BITS;
        if (number != page) {
            turnTo(number);
        }
        mask |= 1L << (address >>> LINE_BITS);
        if ((address & 63) + size > 64) {
            touchRest(address, size);
        }
    }

    private void touchRest(long address, long size) {
        long last = address + size - 1 >>> LINE_BITS;
        for (long line = (address >>> LINE_BITS) + 1; Long.compareUnsigned(line, last) <= 0; line++) {
            long number = line >>> PAGE_BITS - LINE_BITS;
            if (number != page) {
                turnTo(number);
            }
            mask |= 1L << line;
        }
    }

    private void turnTo(long number) {
        if (page >= 0) {
            store();
        }
        page = number;
        mask = pages == null ? 0 : masks[slotOf(number)];
    }

    private void store() {
        if (pages == null) {
            pages = new long[FIRST];
            masks = new long[FIRST];
        }
        int slot = slotOf(page);
        if (pages[slot] == 0) {
            pages[slot] = page + 1;
            used++;
        }
        masks[slot] = mask;
        if (used > pages.length / 2) {
            grow();
        }
    }

    /** The slot of a page, or the free one where it belongs; keys are page numbers + 1. */
    private int slotOf(long number) {
        int bits = pages.length - 1;
        int slot = (int) (number * 0x9e3779b97f4a7c15L >>> 40) & bits;
        while (pages[slot] != 0 && pages[slot] != number + 1) {
            slot = slot + 1 & bits;
        }
        return slot;
    }

    private void grow() {
        long[] oldPages = pages;
        long[] oldMasks = masks;
        pages = new long[oldPages.length * 2];
        masks = new long[oldPages.length * 2];
        for (int i = 0; i < oldPages.length; i++) {
            if (oldPages[i] != 0) {
                int slot = slotOf(oldPages[i] - 1);
                pages[slot] = oldPages[i];
                masks[slot] = oldMasks[i];
            }
        }
    }

    /** Distinct lines. */
    public long lines() {
        settle();
        long lines = 0;
        for (int i = 0; pages != null && i < masks.length; i++) {
            lines += Long.bitCount(masks[i]);
        }
        return lines;
    }

    /** Distinct pages. */
    public long pages() {
        settle();
        return used;
    }

    private void settle() {
        if (page >= 0) {
            store();
        }
    }
}
