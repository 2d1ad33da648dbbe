package dev.madt.view.report;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.DataObject;
import dev.madt.view.Place;

/** The accesses of one instruction that its row has not been told of yet. */
final class PlaceCount {
    private static final long NO_LINE = -1;

    private final int size;
    private final int loads;
    private final int stores;
    private DataObject object;
    private TouchedBytes touched;
    private Tally row;
    private boolean listed;
    private long count;
    private long line;

    PlaceCount(Place place) {
        size = place.size();
        loads = place.kind() == AccessKind.STORE ? 0 : 1;
        stores = place.kind() == AccessKind.LOAD ? 0 : 1;
    }

    /** Returns whether accesses to the data object go on counting for the row at hand. */
    boolean isAt(DataObject accessed) {
        return object == accessed;
    }

    /**
     * Turns to a row and a data object in it, of which the accessed bytes are noted unless {@code
     * bytes} is null.
     */
    void turnTo(DataObject accessed, TouchedBytes bytes, Tally to) {
        object = accessed;
        touched = bytes;
        if (row != to) {
            settle();
            row = to;
            line = NO_LINE;
        }
    }

    /** Returns whether the accessed bytes of the data object are noted. */
    boolean countsBytes() {
        return touched != null;
    }

    void access(long address) {
        count++;
        touch(address);
    }

    /** Notes what is accessed, without counting. */
    void touch(long address) {
        long at = address >>> TouchedLines.LINE_BITS;
        if (at != line || (address & 63) + size > 64) {
            line = at;
            row.touch(address, size);
        }
        if (touched != null) {
            touched.touch(address - object.start(), size);
        }
    }

    /** So many accesses more to where the last one was. */
    void again(long times) {
        count += times;
        if (!listed) {
            settle();
        }
    }

    /** Tells the row. */
    void settle() {
        if (count > 0) {
            row.add(count * loads, count * stores, count * size * (loads + stores));
            count = 0;
        }
    }

    /** Returns whether somebody sees to it that the row is told. */
    boolean isListed() {
        return listed;
    }

    void list() {
        listed = true;
    }

    /**
     * Tells the row, since nobody sees to it any more; the next access is one to another data
     * object.
     */
    void unlist() {
        settle();
        listed = false;
        object = null;
    }
}
