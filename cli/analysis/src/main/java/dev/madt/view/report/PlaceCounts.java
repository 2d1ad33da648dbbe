package dev.madt.view.report;

import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts accesses at their instructions, each of which mostly accesses one data object over and
 * over, so that rows are told of many at once. Rows are right after {@link #settle}.
 */
final class PlaceCounts implements AccessCounter {
    /** Code that is made at run time brings ever new instructions. */
    private static final int MOST = 1 << 17;

    private final Grouping grouping;
    private final Notes<PlaceCount> notes = new Notes<>();
    private final List<PlaceCount> counts = new ArrayList<>();

    /** @param grouping by names */
    PlaceCounts(Grouping grouping) {
        this.grouping = grouping;
    }

    /** Returns what the counter keeps. */
    Notes<PlaceCount> notes() {
        return notes;
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        PlaceCount count = notes.of(place);
        if (count == null || !count.isAt(object)) {
            count = turn(place, object);
        }
        count.access(address);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        notes.of(place).again(times);
    }

    @Override
    public int unitBits(Place place, DataObject object) {
        return notes.of(place).countsBytes() ? 0 : TouchedLines.LINE_BITS;
    }

    @Override
    public void touch(Place place, long address) {
        notes.of(place).touch(address);
    }

    private PlaceCount turn(Place place, DataObject object) {
        PlaceCount count = notes.of(place);
        if (count == null) {
            count = new PlaceCount(place);
            notes.keep(place, count);
        }
        if (!count.isListed()) {
            keep(count);
        }
        count.turnTo(object, grouping.touched(object), grouping.of(place, object));
        return count;
    }

    private void keep(PlaceCount count) {
        if (counts.size() == MOST) {
            counts.forEach(PlaceCount::unlist);
            counts.clear();
        }
        counts.add(count);
        count.list();
    }

    /** Tells the rows of everything so far. */
    void settle() {
        counts.forEach(PlaceCount::unlist);
        counts.clear();
    }
}
