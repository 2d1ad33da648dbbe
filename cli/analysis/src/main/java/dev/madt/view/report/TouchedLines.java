package dev.madt.view.report;

/**
 * The cache lines (64 bytes) and pages (4,096 bytes) that were touched, exactly: a bit per line, a
 * word per page. A single page needs no table; pages that lie close together have their words in
 * the order of their addresses, others are in a hash table with open addressing. 32 bytes a page at
 * most.
 */
public final class TouchedLines {
    static final int PAGE_BITS = 12;
    static final int LINE_BITS = 6;

    private static final int FIRST = 4;
    /**
     * Pages lie close together when there are at most so many times as many from the first to the
     * last.
     */
    private static final int SPREAD = 2;

    private static final long[] NONE = {};

    /**
     * The words of pages that lie close together, from page {@code base} on; then nothing else has
     * any.
     */
    private long[] close = NONE;

    private long base;

    /**
     * Numbers of pages + 1; null as long as there is one page at most, whose lines are in
     * {@code mask}.
     */
    private long[] pages;

    private long[] masks;
    private int used;
    /**
     * The page touched last, its slot in the table, if there is one, and its lines, if there is
     * none.
     */
    private long page = -1;

    private int slot;
    private long mask;

    /** Notes the bytes from an address on; none if {@code size} is 0 or less. */
    public void touch(long address, long size) {
        mark(address >>> LINE_BITS);
        if ((address & 63) + size > 64) {
            touchRest(address, size);
        }
    }

    private void mark(long line) {
        long number = line >>> PAGE_BITS - LINE_BITS;
        long at = number - base;
        if (at >= 0 && at < close.length) {
            close[(int) at] |= 1L << line;
        } else {
            markApart(number, line);
        }
    }

    private void markApart(long number, long line) {
        if (close != NONE) {
            if (widen(number)) {
                mark(line);
                return;
            }
            scatter();
        }
        if (number != page) {
            turnTo(number);
        }
        if (close != NONE) {
            mark(line);
        } else if (masks != null) {
            masks[slot] |= 1L << line;
        } else {
            mask |= 1L << line;
        }
    }

    private void touchRest(long address, long size) {
        long last = address + size - 1 >>> LINE_BITS;
        for (long line = (address >>> LINE_BITS) + 1;
                Long.compareUnsigned(line, last) <= 0;
                line++) {
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

    /** Makes the slot of a new page, unless the pages turn out to lie close together. */
    private int insert(long number) {
        if (used >= pages.length / 2 && !gather()) {
            grow();
        }
        if (close != NONE) {
            return 0;
        }
        used++;
        int free = slotOf(number);
        pages[free] = number + 1;
        return free;
    }

    /** Takes pages that lie close together out of the table; false if they do not. */
    private boolean gather() {
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (long key : pages) {
            least = key == 0 ? least : Math.min(least, key - 1);
            greatest = key == 0 ? greatest : Math.max(greatest, key - 1);
        }
        if (greatest - least >= SPREAD * used) {
            return false;
        }
        base = least;
        close = new long[(int) (greatest - least) + 1];
        for (int i = 0; i < pages.length; i++) {
            if (pages[i] != 0) {
                close[(int) (pages[i] - 1 - least)] = masks[i];
            }
        }
        pages = null;
        masks = null;
        page = -1;
        mask = 0;
        return true;
    }

    /** Makes room for a page beside those that lie close together; false if it is too far off. */
    private boolean widen(long number) {
        long from = Math.min(base, number);
        long end = Math.max(base + close.length, number + 1);
        if (end - from > SPREAD * (closePages() + 1)) {
            return false;
        }
        int length = (int) Math.max(end - from, 2L * close.length);
        long start = number < base ? Math.max(0, end - length) : from;
        long[] wider = new long[length];
        System.arraycopy(close, 0, wider, (int) (base - start), close.length);
        base = start;
        close = wider;
        return true;
    }

    private long closePages() {
        long count = 0;
        for (long each : close) {
            count += each == 0 ? 0 : 1;
        }
        return count;
    }

    /** Puts pages that lie close together into the table. */
    private void scatter() {
        long[] all = close;
        close = NONE;
        used = 0;
        pages = new long[FIRST * Integer.highestOneBit(all.length)];
        masks = new long[pages.length];
        for (int i = 0; i < all.length; i++) {
            if (all[i] != 0) {
                int to = slotOf(base + i);
                pages[to] = base + i + 1;
                masks[to] = all[i];
                used++;
            }
        }
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

    /** Touches whatever others have touched. */
    void touchAll(TouchedLines others) {
        if (others.masks == null) {
            touchPage(others.page, others.mask);
        }
        for (int i = 0; others.masks != null && i < others.masks.length; i++) {
            touchPage(others.pages[i] - 1, others.masks[i]);
        }
        for (int i = 0; i < others.close.length; i++) {
            touchPage(others.base + i, others.close[i]);
        }
    }

    private void touchPage(long number, long lines) {
        for (long rest = lines; rest != 0; rest &= rest - 1) {
            mark((number << PAGE_BITS - LINE_BITS) + Long.numberOfTrailingZeros(rest));
        }
    }

    /** Distinct lines. */
    public long lines() {
        long lines = Long.bitCount(masks != null ? 0 : mask);
        for (long each : masks != null ? masks : close) {
            lines += Long.bitCount(each);
        }
        return lines;
    }

    /** Distinct pages. */
    public long pages() {
        return close != NONE ? closePages() : masks != null ? used : page < 0 ? 0 : 1;
    }
}
