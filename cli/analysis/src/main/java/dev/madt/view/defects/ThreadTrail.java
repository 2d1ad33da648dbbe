package dev.madt.view.defects;

import dev.madt.view.Accesses;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.List;

/** Holds what a thread did last. */
final class ThreadTrail {
    private static final int KEPT = 4;
    /**
     * A string function looks no further than this from the string: four vectors of 64 bytes, of
     * which the first begins anywhere.
     */
    private static final long VECTORS = 320;

    private final Place[] places = new Place[KEPT];
    private final DataObject[] data = new DataObject[KEPT];
    private final long[] offsets = new long[KEPT];
    private final char[] letters = new char[KEPT];
    private int next;
    private final long[] lately = new long[2];
    private String function;
    private String called = "";
    /** The functions that are open, by the thread's accesses to its stack. */
    final OwnStack stack;
    /** A read of what nobody has written, while it is not known what for; or null. */
    final PendingRead pending = new PendingRead();

    ThreadTrail(CallChain start) {
        stack = new OwnStack(start);
    }

    /** An access or bulk transfer is over. */
    void add(Place place, DataObject object, long offset, char letter) {
        places[next] = place;
        data[next] = object;
        offsets[next] = offset;
        letters[next] = letter;
        next = (next + 1) % KEPT;
    }

    void add(Accesses batch, int row) {
        add(
                batch.place(row),
                batch.object(row),
                batch.address(row) - batch.start(row),
                batch.store(row) ? 'S' : 'L');
    }

    /** Returns whether a load is a part of a copy that began with the access before. */
    boolean copies(Accesses batch, int row) {
        int last = (next + KEPT - 1) % KEPT;
        Place place = batch.place(row);
        return places[last] != null
                && places[last].function().equals(place.function())
                && data[last] == batch.object(row)
                && PendingRead.copies(
                        places[last], offsets[last], place, batch.address(row) - batch.start(row));
    }

    /**
     * The block of a heap that a function accessed last, of the few accesses that are kept; or
     * null.
     */
    DataObject lastBlock(Place by) {
        for (int i = 1; i <= KEPT; i++) {
            int at = (next + KEPT - i) % KEPT;
            if (places[at] != null
                    && places[at].function().equals(by.function())
                    && data[at].block() != null) {
                return data[at];
            }
        }
        return null;
    }

    /** The last accesses, the oldest first, as text. */
    List<String> told() {
        List<String> told = new ArrayList<>();
        for (int i = 0; i < KEPT; i++) {
            int at = (next + i) % KEPT;
            if (places[at] != null) {
                told.add(letters[at] + " " + data[at].name() + (offsets[at] < 0 ? "" : "+")
                        + offsets[at] + " by " + Defect.described(places[at]));
            }
        }
        return told;
    }

    /**
     * Code that is not libc's runs; it takes the address of a function of a library, whose name
     * follows, or accesses something else.
     */
    void leaveLibc(String taken) {
        function = null;
        called = taken;
    }

    /**
     * The function of a library whose address code outside of libc has taken last; empty if it has
     * accessed something else since.
     */
    String called() {
        return called;
    }

    /**
     * A function of libc looks at a string, or at one of two, perhaps by whole vectors: in front of
     * the string and behind it.
     *
     * @param live whether the load touches what may be accessed
     * @return whether it may be rightly so: the function has just touched something near that may
     *     be accessed
     */
    boolean string(Place place, long address, boolean live) {
        if (!place.function().equals(function)) {
            function = place.function();
            lately[0] = 0;
            lately[1] = 0;
        }
        int slot = near(address, lately[0]) ? 0 : near(address, lately[1]) ? 1 : -1;
        if (live) {
            if (slot < 0) {
                lately[1] = lately[0];
                slot = 0;
            }
            lately[slot] = address;
        }
        return live || slot >= 0;
    }

    private static boolean near(long address, long to) {
        return to != 0 && address - to < VECTORS && to - address < VECTORS;
    }
}
