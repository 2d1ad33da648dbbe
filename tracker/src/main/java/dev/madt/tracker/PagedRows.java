package dev.madt.tracker;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rows of a few numbers, sorted by their first one, the key, which is an address and unique: a
 * directory of pages, each a plain array, so that a hundred million rows are no work for the
 * garbage collector. A page says of each 16 bytes of its addresses, in a bit, whether a key is in
 * them; so how many bits in front of an address are set says where its row is. Look-ups and
 * insertions take constant time, but for what is far from all others. A copy ({@link #share}) takes
 * next to no time: both copy a page when they first change it.
 *
 * <pre>
 *   regions  | region | region | ... a {@link RowTree} of their numbers, and a cache
 *   region   | page | page | ... 64 of 4 KiB of addresses, and which of them have rows
 *   page     | owner, count | 256 bits | row | row | ... sorted
 * </pre>
 *
 * <p>The numbers of regions are in a {@link RowTree} for the sake of forks and of blocks that lie
 * far apart. With 100,000 regions, a copy took 0.05 ms with it and 50 to 130 ms with an
 * {@link IntervalTree}, which has to be built anew; insertions of a block for each five pages took
 * 1.2 to 3.2 and 2.9 to 9.2 µs. For blocks that lie close, there was no difference.
 *
 * <p>Two keys may lie in the same 16 bytes: then the bits lead in front of the row, which is found
 * from there.
 *
 * <p>The rows have a cursor, which stands at one. Any change but {@link #set} and {@link #insert}
 * leaves it nowhere. Not for use by several threads.
 */
final class PagedRows {
    private static final int PAGE_BITS = 12;
    private static final int REGION_BITS = PAGE_BITS + 6;
    private static final int PAGES = 1 << REGION_BITS - PAGE_BITS;
    private static final int HEAD = PageBits.BEHIND;
    private static final int FIRST_ROWS = 4;
    private static final int OWNER_SHIFT = 32;
    private static final int KNOWN = 1 << 10;
    /** Of no region. */
    private static final long NOWHERE = -1;

    private static final long[] EMPTY = new long[HEAD];
    private static final AtomicInteger OWNERS = new AtomicInteger();

    private final int width;
    private int owner = OWNERS.incrementAndGet();
    private final RowTree numbers;
    private RowRegion[] regions;
    private int used;
    private long size;
    /** Regions that were found last, by the low bits of their numbers. */
    private final RowRegion[] known = new RowRegion[KNOWN];

    /** The page at hand, of the region at hand, by the number of the page. */
    private RowRegion region;

    private long number = NOWHERE;
    private long[] page = EMPTY;
    /** Index in the page of the cursor's row. */
    private int at = HEAD;

    /** @param width numbers of a row, the key included */
    PagedRows(int width) {
        this.width = width;
        numbers = new RowTree(3);
        regions = new RowRegion[4];
    }

    private PagedRows(PagedRows other) {
        width = other.width;
        numbers = other.numbers.share();
        regions = other.regions.clone();
        used = other.used;
        size = other.size;
    }

    /** Other rows, as these are; what is changed in one is not changed in the other. */
    PagedRows share() {
        owner = OWNERS.incrementAndGet();
        return new PagedRows(this);
    }

    /** Number of rows. */
    long size() {
        return size;
    }

    /** Moves the cursor to the row with the greatest key up to this one; false if there is none. */
    boolean floor(long key) {
        if (key >>> PAGE_BITS == number || turnTo(key)) {
            int index = locate(key);
            if (index >= 0) {
                at = HEAD + index * width;
                return true;
            }
        }
        return lastBefore(key >>> PAGE_BITS);
    }

    /** Index in the page at hand of the last row with a key up to this one; -1 if there is none. */
    private int locate(long key) {
        int index = PageBits.rank(page, key) - 1;
        if (index >= 0 && page[HEAD + index * width] > key) {
            return index - 1; // in the same 16 bytes, behind the key
        }
        int last = count(page) - 1;
        while (index < last && page[HEAD + (index + 1) * width] <= key) {
            index++;
        }
        return index;
    }

    /** Moves the cursor to the row with the least key from this one on; false if there is none. */
    boolean ceiling(long key) {
        if (floor(key)) {
            return page[at] == key || next();
        }
        return first();
    }

    /** Moves the cursor to the first row; false if there is none. */
    boolean first() {
        return numbers.first() && enter(regions[(int) numbers.get(1)], 0);
    }

    /** Moves the cursor on by a row; false if it was the last. */
    boolean next() {
        if (at + width < end()) {
            at += width;
            return true;
        }
        int behind = region.from((int) (number & PAGES - 1) + 1);
        if (behind < PAGES) {
            return enter(region, behind);
        }
        RowRegion next = behind(region);
        return next != null && enter(next, 0);
    }

    /**
     * Returns whether there is a row behind the cursor with a key below this one. The cursor stays.
     */
    boolean hasNextBelow(long key) {
        if (at + width < end()) {
            return Long.compareUnsigned(page[at + width], key) < 0;
        }
        RowRegion in = region;
        int behind = in.from((int) (number & PAGES - 1) + 1);
        if (behind == PAGES) {
            if (Long.compareUnsigned(key - 1 >>> REGION_BITS, in.number) <= 0) {
                return false;
            }
            in = behind(region);
            behind = in == null ? 0 : in.from(0);
        }
        return in != null && Long.compareUnsigned(in.pages[behind][HEAD], key) < 0;
    }

    /** A number of the row at the cursor. */
    long get(int column) {
        return page[at + column];
    }

    /** Changes a number of the row at the cursor, not its key. */
    void set(int column, long value) {
        own();
        page[at + column] = value;
    }

    /** Adds a row, whose key is not there; further numbers of it are 0. The cursor is there. */
    void insert(long key, long second, long third) {
        if (key >>> PAGE_BITS != number && !turnTo(key)) {
            addPage(key);
        }
        int index = locate(key) + 1;
        int count = count(page);
        own();
        if (page.length < HEAD + (count + 1) * width) {
            replace(Arrays.copyOf(page, HEAD + (count + Math.max(FIRST_ROWS, count / 4)) * width));
        }
        at = HEAD + index * width;
        System.arraycopy(page, at, page, at + width, (count - index) * width);
        page[at] = key;
        page[at + 1] = second;
        page[at + 2] = third;
        for (int column = 3; column < width; column++) {
            page[at + column] = 0;
        }
        PageBits.set(page, key);
        page[0]++;
        size++;
    }

    /** Removes the row at the cursor. */
    void remove() {
        size--;
        int count = count(page) - 1;
        if (count == 0) {
            removePage();
            return;
        }
        own();
        long key = page[at];
        boolean alone = (at == HEAD || PageBits.areApart(page[at - width], key))
                && (at + width >= end() || PageBits.areApart(page[at + width], key));
        if (alone) {
            PageBits.clear(page, key);
        }
        System.arraycopy(page, at + width, page, at, HEAD + count * width - at);
        page[0]--;
        if (HEAD + 4 * (count + 1) * width < page.length) {
            replace(Arrays.copyOf(page, HEAD + 2 * count * width));
        }
    }

    private static int count(long[] page) {
        return (int) page[0];
    }

    /** Behind the last row of the page at hand. */
    private int end() {
        return HEAD + count(page) * width;
    }

    /** Turns to the page of a key; if it has no rows, false, and nothing happens. */
    private boolean turnTo(long key) {
        RowRegion in = region(key >>> REGION_BITS);
        long[] found = in == null ? null : in.pages[(int) (key >>> PAGE_BITS) & PAGES - 1];
        if (found == null) {
            return false;
        }
        region = in;
        number = key >>> PAGE_BITS;
        page = found;
        return true;
    }

    /** The region of a number; null if it has no rows. */
    private RowRegion region(long wanted) {
        RowRegion found = known[(int) wanted & KNOWN - 1];
        if (found != null && found.number == wanted) {
            return found;
        }
        if (!numbers.floor(wanted) || numbers.get(0) != wanted) {
            return null;
        }
        found = regions[(int) numbers.get(1)];
        known[(int) wanted & KNOWN - 1] = found;
        return found;
    }

    /** Moves the cursor to the first row from a page on of a region that has rows there. */
    private boolean enter(RowRegion in, int from) {
        int first = in.from(from);
        region = in;
        number = in.number << REGION_BITS - PAGE_BITS | first;
        page = in.pages[first];
        at = HEAD;
        return true;
    }

    /** Moves the cursor to the last row before a page; false if there is none. */
    private boolean lastBefore(long wanted) {
        long of = wanted >>> REGION_BITS - PAGE_BITS;
        RowRegion in = region(of);
        int last = in == null ? -1 : in.before((int) wanted & PAGES - 1);
        if (last < 0) {
            if (of == 0 || !numbers.floor(of - 1)) {
                return false;
            }
            in = regions[(int) numbers.get(1)];
            last = Long.SIZE - 1 - Long.numberOfLeadingZeros(in.used);
        }
        enter(in, last);
        at = end() - width;
        return true;
    }

    /** The region behind another; null if that is the last. */
    private RowRegion behind(RowRegion other) {
        return numbers.floor(other.number) && numbers.next() ? regions[(int) numbers.get(1)] : null;
    }

    /** Adds the page of a key and turns to it. */
    private void addPage(long key) {
        RowRegion in = region(key >>> REGION_BITS);
        if (in == null) {
            in = new RowRegion(owner, key >>> REGION_BITS);
            if (used == regions.length) {
                regions = Arrays.copyOf(regions, 2 * used);
            }
            in.place = used++;
            regions[in.place] = in;
            numbers.insert(in.number, in.place, 0);
        }
        region = in;
        number = key >>> PAGE_BITS;
        replace(new long[HEAD + FIRST_ROWS * width]);
    }

    /** Removes the page at hand, which has one row. */
    private void removePage() {
        RowRegion in = ownRegion();
        in.put((int) number & PAGES - 1, null);
        if (in.used == 0) {
            numbers.floor(in.number);
            numbers.remove();
            known[(int) in.number & KNOWN - 1] = null;
            RowRegion last = regions[--used];
            regions[used] = null;
            if (last != in) {
                move(last, in.place);
            }
        }
        region = null;
        number = NOWHERE;
        page = EMPTY;
        at = HEAD;
    }

    /** Moves a region to another place in the list. */
    private void move(RowRegion last, int to) {
        RowRegion moved = last.owner == owner ? last : last.copyFor(owner);
        moved.place = to;
        regions[to] = moved;
        known[(int) moved.number & KNOWN - 1] = moved;
        numbers.floor(moved.number);
        numbers.set(1, to);
    }

    /** Makes the page at hand one of these rows alone. */
    private void own() {
        if (page[0] >>> OWNER_SHIFT != owner) {
            replace(page.clone());
        }
    }

    private void replace(long[] by) {
        by[0] = (long) owner << OWNER_SHIFT | count(by);
        ownRegion().put((int) number & PAGES - 1, by);
        page = by;
    }

    private RowRegion ownRegion() {
        if (region.owner != owner) {
            region = region.copyFor(owner);
            regions[region.place] = region;
        }
        known[(int) region.number & KNOWN - 1] = region;
        return region;
    }

    /** For tests. @throws IllegalStateException naming the rule that does not hold */
    void checkInvariants() {
        numbers.checkInvariants();
        require(numbers.size() == used, "regions are counted");
        long rows = 0;
        for (boolean more = numbers.first(); more; more = numbers.next()) {
            RowRegion in = regions[(int) numbers.get(1)];
            require(
                    in.number == numbers.get(0) && in.place == numbers.get(1),
                    "regions are listed");
            require(in.used != 0, "no region is empty");
            for (int i = 0; i < PAGES; i++) {
                require((in.pages[i] != null) == ((in.used >>> i & 1) != 0), "pages are marked");
                if (in.pages[i] != null) {
                    check(in.pages[i], in.number << REGION_BITS - PAGE_BITS | i);
                    rows += count(in.pages[i]);
                }
            }
        }
        require(rows == size, "rows are counted");
    }

    private void check(long[] of, long pageNumber) {
        require(count(of) > 0, "no page is empty");
        long[] bits = new long[HEAD];
        for (int row = 0; row < count(of); row++) {
            long key = of[HEAD + row * width];
            require(key >>> PAGE_BITS == pageNumber, "keys are in their page");
            require(row == 0 || of[HEAD + (row - 1) * width] < key, "keys ascend");
            PageBits.set(bits, key);
        }
        require(
                Arrays.equals(bits, PageBits.FIRST, HEAD, of, PageBits.FIRST, HEAD),
                "the bits are those of the keys");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("rows by pages: broken rule: " + rule);
        }
    }
}
