package dev.madt.resolver.dwarf;

import java.util.Arrays;

/**
 * Ranges of addresses with a number each. They may overlap; of those around an address the one that
 * begins last is found, of equals the shorter. Lookup is logarithmic but for nested ranges.
 */
final class RangeTable {
    private final long[] starts;
    private final long[] ends;
    private final long[] reach;
    private final int[] values;

    private RangeTable(long[] starts, long[] ends, int[] values) {
        this.starts = starts;
        this.ends = ends;
        this.values = values;
        this.reach = new long[starts.length];
        for (int i = 0; i < starts.length; i++) {
            reach[i] = i == 0 ? ends[i] : Math.max(ends[i], reach[i - 1]);
        }
    }

    /** The number of the innermost range around the address, or -1. */
    int find(long address) {
        int at = floor(address);
        while (at >= 0 && reach[at] > address) {
            if (ends[at] > address) {
                return values[at];
            }
            at--;
        }
        return -1;
    }

    /** Place of the last range that begins at or before the address, or -1. */
    private int floor(long address) {
        int low = 0;
        int high = starts.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Collects ranges. */
    static final class Builder {
        private long[] starts = new long[16];
        private long[] ends = new long[16];
        private int[] values = new int[16];
        private int count;

        int count() {
            return count;
        }

        /**
         * Adds a range, unless it is empty, or is one that the linker has thrown away: those begin
         * at 0, or near the end of the address space.
         */
        void add(long start, long end, int value) {
            if (start <= 0 || end <= start) {
                return;
            }
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
                ends = Arrays.copyOf(ends, 2 * count);
                values = Arrays.copyOf(values, 2 * count);
            }
            starts[count] = start;
            ends[count] = end;
            values[count++] = value;
        }

        RangeTable build() {
            Integer[] order = new Integer[count];
            Arrays.setAll(order, i -> i);
            Arrays.sort(
                    order,
                    (a, b) -> starts[a] != starts[b]
                            ? Long.compare(starts[a], starts[b])
                            : Long.compare(ends[b], ends[a]));
            long[] sortedStarts = new long[count];
            long[] sortedEnds = new long[count];
            int[] sortedValues = new int[count];
            for (int i = 0; i < count; i++) {
                sortedStarts[i] = starts[order[i]];
                sortedEnds[i] = ends[order[i]];
                sortedValues[i] = values[order[i]];
            }
            return new RangeTable(sortedStarts, sortedEnds, sortedValues);
        }
    }
}
