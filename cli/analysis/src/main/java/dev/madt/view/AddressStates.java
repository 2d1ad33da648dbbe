package dev.madt.view;

import dev.madt.tracker.AddressRange;

/**
 * Tells whether what lies at an address may have changed since somebody looked. Addresses are in
 * cells of 4 KiB, of 256 KiB, 16 MiB and 1 GiB, each with a number; cells far from each other share
 * their numbers. Who keeps what he has found for a range keeps with it the number of the smallest
 * cell that the range fits into: so an allocation makes nobody look again but those who look near
 * it.
 *
 * <p>A number that somebody keeps is odd, and a change makes it even. So a change where nobody has
 * looked since the last one, as in blocks that the program does not access, is no change.
 */
final class AddressStates {
    private static final int[] BITS = {12, 18, 24, 30, 63};
    /** Numbers of each level; a power of two. */
    private static final int CELLS = 1 << 10;
    /** The cell of what no block can change: its number grows when everything may have changed. */
    static final int MODULES = BITS.length * CELLS;

    /** The cell of what holds for as long as no frame is entered or left on a stack. */
    static final int FRAMES = MODULES + 1;

    /** Stands where {@link Place#cell} does for what no change concerns. */
    static final long ALWAYS = (long) (FRAMES + 1) << Integer.SIZE;

    /** To be compared with what {@link #of} says, by {@link Place#holds}. */
    final int[] numbers = new int[FRAMES + 2];

    private long all;
    /** Says how many of them are odd. */
    private int kept;

    /** Something has changed in a range. */
    void changed(long start, long end) {
        if (kept == 0) {
            return;
        }
        for (int level = 0; level < BITS.length; level++) {
            long first = start >>> BITS[level];
            long last = Math.min(end - 1 >>> BITS[level], first + CELLS - 1);
            for (long cell = first; cell <= last; cell++) {
                changed(level * CELLS + (int) (cell & CELLS - 1));
            }
        }
    }

    /** Other frames may be open on stacks. */
    void framesChanged() {
        changed(FRAMES);
    }

    /** Returns the cell of open frames, whose number is to be kept. */
    int frames() {
        return keep(FRAMES);
    }

    private void changed(int cell) {
        if ((numbers[cell] & 1) != 0) {
            numbers[cell]++;
            kept--;
            all++;
        }
    }

    /** Everything may have changed. */
    void allChanged() {
        changed(0, -1);
        changed(FRAMES);
        numbers[MODULES]++;
        all++;
    }

    /**
     * Returns whether nothing has changed in a cell since its number was as {@link Place#cell}
     * says.
     */
    boolean holds(long cell) {
        return numbers[(int) (cell >>> Integer.SIZE)] == (int) cell;
    }

    /** Grows at every change anywhere that concerns somebody. */
    long all() {
        return all;
    }

    /**
     * The cell whose number is to be kept for a range around an address; the range is cut to it.
     */
    int cell(long address, AddressRange range) {
        int level = 0;
        while (level < BITS.length - 1
                && Long.compareUnsigned(range.end() - range.start(), 1L << BITS[level]) > 0) {
            level++;
        }
        long cell = address >>> BITS[level];
        if (level < BITS.length - 1) {
            range.cut(cell << BITS[level], cell + 1 << BITS[level]);
        }
        return keep(level * CELLS + (int) (cell & CELLS - 1));
    }

    private int keep(int cell) {
        if ((numbers[cell] & 1) == 0) {
            numbers[cell]++;
            kept++;
        }
        return cell;
    }
}
