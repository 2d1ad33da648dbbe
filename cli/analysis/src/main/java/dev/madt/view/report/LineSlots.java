package dev.madt.view.report;

/**
 * Maps numbers of lines to numbers that are not negative: open addressing with linear probing, in
 * which eight lines in a row are neighbours, so that walks through memory stay in the processor's
 * caches. A line costs 18 to 36 bytes.
 */
public final class LineSlots {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    /** Lines that lie beside each other stay together, to the power of two. */
    private static final int TOGETHER = 3;

    private static final int FIRST = 1 << 6;

    private long[] lines = new long[FIRST];
    /** Values + 1; 0 is an empty place. */
    private int[] values = new int[FIRST];

    private int size;

    /** Returns how many lines have a value. */
    public int size() {
        return size;
    }

    /** Gives a line a value, and returns the one that it had; -1 if it had none. */
    public int put(long line, int value) {
        int at = find(line);
        int before = values[at] - 1;
        values[at] = value + 1;
        if (before < 0) {
            lines[at] = line;
            if (++size > values.length / 3 * 2) {
                grow();
            }
        }
        return before;
    }

    /** Takes the value of a line away; those that lie behind it close the gap. */
    void remove(long line) {
        int gap = find(line);
        if (values[gap] == 0) {
            return;
        }
        size--;
        int mask = values.length - 1;
        for (int at = gap + 1 & mask; values[at] != 0; at = at + 1 & mask) {
            if ((at - home(lines[at]) & mask) >= (at - gap & mask)) {
                lines[gap] = lines[at];
                values[gap] = values[at];
                gap = at;
            }
        }
        values[gap] = 0;
    }

    private int home(long line) {
        long row = line >>> TOGETHER;
        return (int) ((row * GOLDEN >>> 32 << TOGETHER | line & (1 << TOGETHER) - 1)
                & values.length - 1);
    }

    /** Returns the place of a line, or the empty one where it belongs. */
    private int find(long line) {
        int mask = values.length - 1;
        int at = home(line);
        while (values[at] != 0 && lines[at] != line) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] oldLines = lines;
        int[] oldValues = values;
        lines = new long[2 * oldLines.length];
        values = new int[2 * oldValues.length];
        for (int i = 0; i < oldValues.length; i++) {
            if (oldValues[i] != 0) {
                int at = find(oldLines[i]);
                lines[at] = oldLines[i];
                values[at] = oldValues[i];
            }
        }
    }
}
