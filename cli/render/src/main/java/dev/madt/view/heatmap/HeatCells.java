package dev.madt.view.heatmap;

import java.util.Arrays;

/**
 * Loads and stores by page, name, thread and slice of time, and reads and writes by bulk transfers
 * apart from them: a hash table with open addressing over packed keys. When it has more cells than
 * wanted, or time has more slices than fit, pairs of slices become one.
 */
final class HeatCells {
    /** Slices of time at most; a power of two. */
    static final int MOST_SLICES = 128;

    static final int MOST_PAGES = 1 << 24;
    static final int MOST_NAMES = 1 << 20;
    static final int MOST_THREADS = 1 << 10;

    private static final int SLICE_BITS = 8;
    private static final int THREAD_BITS = 10;
    private static final int NAME_BITS = 20;
    private static final int FIRST = 1 << 12;

    /** Numbers in a cell: loads, stores, reads and writes by bulk transfers. */
    private static final int COUNTS = 4;

    private static final int BLOCKS = 2;

    /** Takes cells; {@code reads} and {@code writes} are those of bulk transfers. */
    interface Visitor {
        void cell(
                int page,
                int name,
                int thread,
                int slice,
                long loads,
                long stores,
                long reads,
                long writes);
    }

    private final int wanted;
    /** Keys + 1; 0 is an empty place. */
    private long[] keys = new long[FIRST];
    /** The numbers of each slot in turn. */
    private long[] counts = new long[COUNTS * FIRST];

    private int used;
    private int shift;
    private int last;
    private int moves;

    /** @param wanted cells above which time is made coarser */
    HeatCells(int wanted) {
        this.wanted = wanted;
    }

    /**
     * Counts an access; all but {@code time}, the number of the access, are indexes below their
     * limits.
     */
    void count(int page, int name, int thread, long time, boolean store) {
        count(slot(page, name, thread, time), store);
    }

    /** Counts another access to a cell that {@link #slot} found; no cell has moved since. */
    void count(int slot, boolean store) {
        count(slot, store, 1);
    }

    /** Counts so many accesses to a cell that {@link #slot} found; no cell has moved since. */
    void count(int slot, boolean store, long times) {
        counts[COUNTS * slot + (store ? 1 : 0)] += times;
    }

    /** Counts a bulk transfer that reads or writes; otherwise as {@link #count}. */
    void countBlock(int page, int name, int thread, long time, boolean write) {
        int slot = slot(
                page, name, thread, time); // before the table is looked at: it may be a new one
        counts[COUNTS * slot + BLOCKS + (write ? 1 : 0)]++;
    }

    /** Returns how often cells have moved: slots found before the last time are void. */
    int moves() {
        return moves;
    }

    /** Returns where the cell is that counts an access, made if there is none. */
    int slot(int page, int name, int thread, long time) {
        while (time >>> shift >= MOST_SLICES) {
            coarsen();
        }
        long key = (((long) page << NAME_BITS | name) << THREAD_BITS | thread) << SLICE_BITS
                | time >>> shift;
        int slot = keys[last] == key + 1 ? last : slotOf(key);
        if (keys[slot] == 0) {
            slot = insert(key);
        }
        last = slot;
        return slot;
    }

    private int insert(long key) {
        if (used >= keys.length / 2) {
            rebuild(keys.length * 2, 0);
        }
        int slot = slotOf(key);
        keys[slot] = key + 1;
        used++;
        if (used <= wanted || shift > Long.SIZE - SLICE_BITS) {
            return slot;
        }
        coarsen();
        return slotOf(key >>> SLICE_BITS << SLICE_BITS | (key & (1 << SLICE_BITS) - 1) >>> 1);
    }

    private void coarsen() {
        shift++;
        rebuild(keys.length, 1);
    }

    /** Puts every cell into tables of a size, its slice divided by a power of two. */
    private void rebuild(int size, int shifted) {
        long[] oldKeys = keys;
        long[] oldCounts = counts;
        keys = new long[size];
        counts = new long[COUNTS * size];
        used = 0;
        last = 0;
        moves++;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                long key = oldKeys[i] - 1;
                long slice = (key & (1 << SLICE_BITS) - 1) >>> shifted;
                int slot = slotOf(key >>> SLICE_BITS << SLICE_BITS | slice);
                if (keys[slot] == 0) {
                    keys[slot] = (key >>> SLICE_BITS << SLICE_BITS | slice) + 1;
                    used++;
                }
                for (int k = 0; k < COUNTS; k++) {
                    counts[COUNTS * slot + k] += oldCounts[COUNTS * i + k];
                }
            }
        }
    }

    private int slotOf(long key) {
        int bits = keys.length - 1;
        int slot = (int) (key * 0x9e3779b97f4a7c15L >>> 32) & bits;
        while (keys[slot] != 0 && keys[slot] != key + 1) {
            slot = slot + 1 & bits;
        }
        return slot;
    }

    /** Accesses in a slice of time. */
    long slice() {
        return 1L << shift;
    }

    int size() {
        return used;
    }

    /** Gives the cells by page, name, thread and slice, so that equal heat is written alike. */
    void each(Visitor visitor) {
        long[] sorted = new long[used];
        int found = 0;
        for (long key : keys) {
            if (key != 0) {
                sorted[found++] = key;
            }
        }
        Arrays.sort(sorted);
        for (long kept : sorted) {
            long key = kept - 1;
            int at = COUNTS * slotOf(key);
            visitor.cell(
                    (int) (key >>> NAME_BITS + THREAD_BITS + SLICE_BITS),
                    (int) (key >>> THREAD_BITS + SLICE_BITS) & MOST_NAMES - 1,
                    (int) (key >>> SLICE_BITS) & MOST_THREADS - 1,
                    (int) key & (1 << SLICE_BITS) - 1,
                    counts[at],
                    counts[at + 1],
                    counts[at + BLOCKS],
                    counts[at + BLOCKS + 1]);
        }
    }
}
