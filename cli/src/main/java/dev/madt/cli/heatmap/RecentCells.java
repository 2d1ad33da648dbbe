package dev.madt.cli.heatmap;

import java.util.Arrays;

/**
 * Where the cells of recently accessed pages are, so that most accesses need no hash table: one entry for all pages with equal
 * low bits, and all of one slice of time, one thread and one state of the cells.
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

    /** The slot that counts the access; -1 if it is not known. No page has the number -1. */
    int find(long page, int name, int byThread, long time, HeatCells cells) {
        int entry = entry(page);
        boolean known = pages[entry] == page && names[entry] == name && holds(byThread, time, cells);
        return known ? slots[entry] : -1;
    }

    private boolean holds(int byThread, long time, HeatCells cells) {
        return time < end && time >= from && byThread == thread && moves == cells.moves();
    }

    /** Keeps what the cells have just found. */
    void keep(int slot, long page, int name, int byThread, long time, HeatCells cells) {
        if (!holds(byThread, time, cells)) {
            Arrays.fill(pages, NONE);
            from = time & -cells.slice();
            end = from + cells.slice();
            thread = byThread;
            moves = cells.moves();
        }
        int entry = entry(page);
        pages[entry] = page;
        names[entry] = name;
        slots[entry] = slot;
    }

    private static int entry(long page) {
        return (int) (page ^ page >>> 12) & SIZE - 1;
    }
}
