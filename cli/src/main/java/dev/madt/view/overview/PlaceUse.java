package dev.madt.view.overview;

import dev.madt.view.Datum;

/** The accesses of one instruction that its link has not been told of yet. */
final class PlaceUse {
    private static final int LINE_BITS = 6;
    private static final long LINE = 1L << LINE_BITS;
    private static final long NONE = -1;

    private final Code code;
    private final int size;
    private Datum datum;
    private int thread;
    private Link link;
    private boolean listed;
    private long loads;
    private long stores;
    private long line = NONE;

    PlaceUse(Code code, int size) {
        this.code = code;
        this.size = size;
    }

    Code code() {
        return code;
    }

    /** Whether accesses by the thread to the datum go on counting for the link at hand. */
    boolean isAt(Datum accessed, int byThread) {
        return datum == accessed && thread == byThread;
    }

    void turnTo(Datum accessed, int byThread, Link to) {
        datum = accessed;
        thread = byThread;
        to.data().by(byThread);
        if (link != to) {
            settle();
            link = to;
            line = NONE;
        }
    }

    Link link() {
        return link;
    }

    void access(long address, boolean store) {
        if (store) {
            stores++;
        } else {
            loads++;
        }
        long at = address >>> LINE_BITS;
        if (at != line || (address & LINE - 1) + size > LINE) {
            line = at;
            link.touch(address, size);
        }
    }

    private void settle() {
        if (loads + stores > 0) {
            link.add(loads, stores, size);
            loads = 0;
            stores = 0;
        }
    }

    /** Whether somebody sees to it that the link is told. */
    boolean isListed() {
        return listed;
    }

    void list() {
        listed = true;
    }

    /**
     * Tells the link, since nobody sees to it any more; the next access is one to another datum.
     */
    void unlist() {
        settle();
        listed = false;
        datum = null;
    }
}
