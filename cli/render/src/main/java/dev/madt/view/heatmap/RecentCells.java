package dev.madt.view.heatmap;

import java.util.Arrays;

/**
 * Says where the cells of recently accessed pages are, so that most accesses need no hash table:
 * one entry for all pages with equal low bits, and all of one slice of time, one thread and one
 * state of the cells.
 */
final class RecentCells {
    private static final int SIZE = 1 << 10;
    private static final long NONE = -1;

    private final long[] pages = new long[SIZE];
    private final int[] names = new int[SIZE];
    private final int[] slots = new int[SIZE];
    private long from;
    private long end;
    private int thread;
    private int moves = -1;

    /** Turns to accesses by a thread at a time, and from there on up to {@link #end}. */
    void turnTo(int byThread, long time, HeatCells cells) {
        if (time >= from && time < end && byThread == thread && moves == cells.moves()) {
            return;
        }
        Arrays.fill(pages, NONE);
        from = time & -cells.slice();
        end = from + cells.slice();
        thread = byThread;
        moves = cells.moves();
    }

    /** The number behind the last access of the slice of time. */
    long end() {
        return end;
    }

    /**
     * The slot that counts an access, as long as the cells have not moved; -1 if it is not known.
     * No page has the number -1.
     */
    int find(long page, int name) {
        int entry = entry(page);
        return pages[entry] == page && names[entry] == name ? slots[entry] : -1;
    }

    /** Keeps what the cells have just found. */
    void keep(int slot, long page, int name) {
        int entry = entry(page);
        pages[entry] = page;
        names[entry] = name;
        slots[entry] = slot;
    }

    private static int entry(long page) {
        return (int) (page ^ page >>> 12) & SIZE - 1;
    }
}
