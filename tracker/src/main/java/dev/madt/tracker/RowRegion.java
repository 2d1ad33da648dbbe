package dev.madt.tracker;

/**
 * A region of {@link PagedRows}: the pages of so many bytes of addresses, those that have rows. It
 * belongs to the rows that have its owner number; others copy it before they change it.
 */
final class RowRegion {
    private static final int PAGES = Long.SIZE;

    final int owner;
    /** Counts regions of addresses from 0. */
    final long number;

    /** Says which pages have rows. */
    long used;

    final long[][] pages;
    /** Says where the region stands in the list of regions. */
    int place;

    RowRegion(int owner, long number) {
        this(owner, number, new long[PAGES][]);
    }

    private RowRegion(int owner, long number, long[][] pages) {
        this.owner = owner;
        this.number = number;
        this.pages = pages;
    }

    RowRegion copyFor(int newOwner) {
        RowRegion copy = new RowRegion(newOwner, number, pages.clone());
        copy.used = used;
        copy.place = place;
        return copy;
    }

    /** The last page before one that has rows; -1 if there is none. */
    int before(int page) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(used & (1L << page) - 1);
    }

    /** The first page from one on that has rows, {@value Long#SIZE} if there is none. */
    int from(int page) {
        return page == PAGES ? PAGES : Long.numberOfTrailingZeros(used & -1L << page);
    }

    void put(int page, long[] rows) {
        pages[page] = rows;
        used = rows == null ? used & ~(1L << page) : used | 1L << page;
    }
}
