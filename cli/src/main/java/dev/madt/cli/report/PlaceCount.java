package dev.madt.cli.report;

import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;
import dev.madt.tracker.AccessKind;

/** The accesses of one instruction that its row has not been told of yet. */
final class PlaceCount {
    private static final long NO_LINE = -1;

    private final int size;
    private final int loads;
    private final int stores;
    private Datum datum;
    private Tally row;
    private long count;
    private long line;

    PlaceCount(Place place) {
        size = place.size();
        loads = place.kind() == AccessKind.STORE ? 0 : 1;
        stores = place.kind() == AccessKind.LOAD ? 0 : 1;
    }

    /** Whether accesses to the datum go on counting for the row at hand. */
    boolean isAt(Datum accessed) {
        return datum == accessed;
    }

    /** Turns to a row and a datum in it. */
    void turnTo(Datum accessed, Tally to) {
        datum = accessed;
        if (row != to) {
            settle();
            row = to;
            line = NO_LINE;
        }
    }

    void access(long address) {
        count++;
        long at = address >>> TouchedLines.LINE_BITS;
        if (at != line || (address & 63) + size > 64) {
            line = at;
            row.touch(address, size);
        }
    }

    /** Tells the row. */
    void settle() {
        if (count > 0) {
            row.add(count * loads, count * stores, count * size * (loads + stores));
            count = 0;
        }
    }

    /** The same, and turns to nothing. */
    void idle() {
        settle();
        datum = null;
        row = null;
    }

    /** Whether it has turned to nothing. */
    boolean isIdle() {
        return row == null;
    }
}
