package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;

/** A set of half-open address ranges; a few dozen at most, so that a scan is fast enough. */
public final class AddressRanges {
    private record Range(long start, long end) {}

    private final List<Range> ranges = new ArrayList<>();

    public void add(long start, long end) {
        ranges.add(new Range(start, end));
    }

    /** Takes out what overlaps {@code start} to {@code end}; what a range has outside stays. */
    public void remove(long start, long end) {
        List<Range> kept = new ArrayList<>();
        for (Range range : ranges) {
            if (range.start < start && range.end > start) {
                kept.add(new Range(range.start, start));
            }
            if (range.end > end && range.start < end) {
                kept.add(new Range(end, range.end));
            }
            if (range.end <= start || range.start >= end) {
                kept.add(range);
            }
        }
        ranges.clear();
        ranges.addAll(kept);
    }

    public boolean contains(long address) {
        for (Range range : ranges) {
            if (address >= range.start && address < range.end) {
                return true;
            }
        }
        return false;
    }
}
