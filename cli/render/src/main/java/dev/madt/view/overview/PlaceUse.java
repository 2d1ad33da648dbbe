package dev.madt.view.overview;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.DataObject;
import dev.madt.view.Place;

/** The accesses of one instruction that its link has not been told of yet. */
final class PlaceUse {
    static final int LINE_BITS = 6;
    private static final long LINE = 1L << LINE_BITS;
    private static final long NONE = -1;

    private final Code code;
    private final int size;
    private final int loadsAtOnce;
    private final int storesAtOnce;
    private DataObject object;
    private int thread;
    private long[] ofThread;
    private long address;
    private Link link;
    private boolean listed;
    private long loads;
    private long stores;
    private long line = NONE;

    PlaceUse(Code code, Place place) {
        this.code = code;
        this.size = place.size();
        this.loadsAtOnce = place.kind() == AccessKind.STORE ? 0 : 1;
        this.storesAtOnce = place.kind() == AccessKind.LOAD ? 0 : 1;
    }

    Code code() {
        return code;
    }

    /**
     * Returns whether accesses by the thread to the data object go on counting for the link at
     * hand.
     */
    boolean isAt(DataObject accessed, int byThread) {
        return object == accessed && thread == byThread;
    }

    /**
     * Turns to a data object, and to a thread, of whose loads and stores somebody keeps the sums.
     *
     * @param sums of the thread: loads, stores
     */
    void turnTo(DataObject accessed, int byThread, long[] sums, Link to) {
        if (link != to || ofThread != sums) {
            settle();
        }
        if (link != to) {
            link = to;
            line = NONE;
        }
        object = accessed;
        thread = byThread;
        ofThread = sums;
        to.data().by(byThread);
    }

    Link link() {
        return link;
    }

    /** A load or a store. */
    void access(long at, boolean store) {
        if (store) {
            stores++;
        } else {
            loads++;
        }
        touch(at);
    }

    /** All that the instruction does at once. */
    void access(long at) {
        address = at;
        loads += loadsAtOnce;
        stores += storesAtOnce;
        touch(at);
    }

    /** So many times more what it did last. */
    void again(long times) {
        loads += times * loadsAtOnce;
        stores += times * storesAtOnce;
        if (!listed) {
            settle();
        }
    }

    private void touch(long at) {
        long touched = at >>> LINE_BITS;
        if (touched != line || (at & LINE - 1) + size > LINE) {
            line = touched;
            link.touch(at, size);
        }
    }

    /** Returns where it accessed memory when {@link #access(long)} was told last. */
    long address() {
        return address;
    }

    private void settle() {
        if (loads + stores > 0) {
            link.add(loads, stores, size);
            ofThread[0] += loads;
            ofThread[1] += stores;
            loads = 0;
            stores = 0;
        }
    }

    /** Returns whether somebody sees to it that the link is told. */
    boolean isListed() {
        return listed;
    }

    void list() {
        listed = true;
    }

    /**
     * Tells the link, since nobody sees to it any more; the next access is one to another data
     * object.
     */
    void unlist() {
        settle();
        listed = false;
        object = null;
    }
}
