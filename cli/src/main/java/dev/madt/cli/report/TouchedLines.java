package dev.madt.cli.report;

/**
 * The cache lines (64 bytes) and pages (4,096 bytes) that were touched, exactly: a bit per line, a word per page, pages in a hash
 * table with open addressing. A single page needs no table. 32 bytes a page at most.
 */
public final class TouchedLines {
    static final int PAGE_BITS = 12;
    static final int LINE_BITS = 6;

    private static final int FIRST = 4;

    /** Numbers of pages + 1; null as long as there is one page at most, whose lines are in {@code mask}. */
    private long[] pages;
    private long[] masks;
    private int used;
    /** The page touched last, its slot in the table, if there is one, and its lines, if there is none. */
    private long page = -1;
    private int slot;
    private long mask;

    /** Notes the bytes from an address on; none if {@code size} is 0 or less. */
    public void touch(long address, long size) {
        long number = address >>> PAGE_BITS;
        if (number != page) {
            turnTo(number);
        }
        mark(address >>> LINE_BITS);
        if ((address & 63) + size > 64) {
            touchRest(address, size);
        }
    }

    private void mark(long line) {
        if (masks != null) {
            masks[slot] |= 1L << line;
        } else {
            mask |= 1L << line;
        }
    }

    private void touchRest(long address, long size) {
        long last = address + size - 1 >>> LINE_BITS;
        for (long line = (address >>> LINE_BITS) + 1; Long.compareUnsigned(line, last) <= 0; line++) {
            long number = line >>> PAGE_BITS - LINE_BITS;
            if (number != page) {
                turnTo(number);
            }
            mark(line);
        }
    }

    private void turnTo(long number) {
        if (masks == null && page >= 0) {
            pages = new long[FIRST];
            masks = new long[FIRST];
            masks[insert(page)] = mask;
        }
        page = number;
        if (masks != null) {
            slot = slotOf(number);
            if (pages[slot] == 0) {
                slot = insert(number);
            }
        }
    }

    /** Makes the slot of a new page. */
    private int insert(long number) {
        if (used >= pages.length / 2) {
            grow();
        }
        used++;
        int free = slotOf(number);
        pages[free] = number + 1;
        return free;
    }

    /** The slot of a page, or the free one where it belongs; keys are page numbers + 1. */
    private int slotOf(long number) {
        int bits = pages.length - 1;
        int at = (int) (number * 0x9e3779b97f4a7c15L >>> 40) & bits;
        while (pages[at] != 0 && pages[at] != number + 1) {
            at = at + 1 & bits;
        }
        return at;
    }

    private void grow() {
        long[] oldPages = pages;
        long[] oldMasks = masks;
        pages = new long[oldPages.length * 2];
        masks = new long[oldPages.length * 2];
        for (int i = 0; i < oldPages.length; i++) {
            if (oldPages[i] != 0) {
                int to = slotOf(oldPages[i] - 1);
                pages[to] = oldPages[i];
                masks[to] = oldMasks[i];
            }
        }
    }

    /** Distinct lines. */
    public long lines() {
        long lines = Long.bitCount(mask);
        if (masks != null) {
            lines = 0;
            for (long each : masks) {
                lines += Long.bitCount(each);
            }
        }
        return lines;
    }

    /** Distinct pages. */
    public long pages() {
        return masks != null ? used : page < 0 ? 0 : 1;
    }
}
