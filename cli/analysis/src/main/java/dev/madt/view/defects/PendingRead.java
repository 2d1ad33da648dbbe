package dev.madt.view.defects;

import dev.madt.view.Place;
import java.util.function.Consumer;

/**
 * A load of bytes that nobody has written, until the next accesses of its thread tell what it is
 * for. A load that begins the change of a bit-field is followed by a store to the same place, and
 * one that copies by a store of the same size elsewhere, or stands beside another load of the bytes
 * beside: none of these uses the bytes.
 */
final class PendingRead {
    /** So many accesses later the store of a bit-field has come. */
    private static final int PATIENCE = 6;
    /** Between two loads of a copy by vectors stands at most one store, so many bytes long. */
    private static final int STORE_LENGTH = 10;

    private static final int REGISTER = 8;

    private Consumer<BlockState.Read> judge;
    private BlockState.Read read;
    private Place place;
    private long address;
    private int left;

    boolean active() {
        return judge != null;
    }

    /** @param to is given the read if nothing explains it */
    void begin(Consumer<BlockState.Read> to, BlockState.Read what, Place by, long at) {
        settle();
        judge = to;
        read = what;
        place = by;
        address = at;
        left = PATIENCE;
    }

    /** Nothing more is to come that would explain the load. */
    void settle() {
        if (judge != null) {
            judge.accept(read);
            judge = null;
        }
    }

    /** The thread's next access. */
    void look(Place by, long at, boolean store) {
        left--;
        if (store && by.address() == place.address() && at == address || explains(by, at, store)) {
            judge = null;
        } else if (left == 0 || !by.function().equals(place.function())) {
            settle();
        }
    }

    private boolean explains(Place by, long at, boolean store) {
        if (!by.function().equals(place.function())) {
            return false;
        }
        return store
                ? by.size() == place.size() && (at == address || left == PATIENCE - 1)
                : copies(place, address, by, at);
    }

    /** Returns whether two loads, one behind the other, are parts of a copy. */
    static boolean copies(Place first, long firstAt, Place second, long secondAt) {
        long between = second.address() - first.address() - first.length();
        boolean beside = firstAt + first.size() == secondAt || secondAt + second.size() == firstAt;
        int larger = Math.max(first.size(), second.size());
        return beside
                && (between == 0 && larger >= REGISTER
                        || between >= 0 && between <= STORE_LENGTH && larger > REGISTER);
    }
}
