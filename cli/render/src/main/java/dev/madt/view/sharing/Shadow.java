package dev.madt.view.sharing;

import dev.madt.view.CallChain;
import dev.madt.view.Place;
import java.util.HashMap;
import java.util.Map;

/** Holds what is known of bytes that are accessed together: the last store, and loads since. */
final class Shadow {
    /**
     * An access.
     *
     * @param thread index of the thread
     * @param clock of the thread then
     * @param calls that the thread was in; null: calls are not recorded
     */
    record Touch(int thread, int clock, Place place, LockSet locks, CallChain calls) {
        /** Returns whether it is of a thread's present. */
        boolean isOf(HappensBefore.Thread other) {
            return thread == other.index && clock == other.now();
        }

        boolean isBefore(Clock other) {
            return clock <= other.get(thread);
        }
    }

    /** Of the eight bytes, a bit each. */
    final int bytes;
    /** Null: none is known. */
    Touch store;

    Touch load;
    /** The last load of each thread; null while those of one thread are known to be enough. */
    private Map<Integer, Touch> loads;
    /** Says whether threads wait for each other by it. */
    boolean atomic;
    /** Holds what follows in these eight bytes, or null. */
    Shadow next;

    Shadow(int bytes) {
        this.bytes = bytes;
    }

    /** The same of some of its bytes. */
    Shadow part(int some) {
        Shadow part = new Shadow(some);
        part.store = store;
        part.load = load;
        part.loads = loads == null ? null : new HashMap<>(loads);
        part.atomic = atomic;
        return part;
    }

    /** Returns the last load of a thread, if that is known; else one of another thread, or null. */
    Touch loadOf(int thread) {
        return loads == null ? load : loads.get(thread);
    }

    void load(Touch touch, Clock now) {
        if (loads != null) {
            loads.put(touch.thread(), touch);
        } else if (load == null || load.thread() == touch.thread() || load.isBefore(now)) {
            load = touch;
        } else {
            loads = new HashMap<>();
            loads.put(load.thread(), load);
            loads.put(touch.thread(), touch);
            load = null;
        }
    }

    void store(Touch touch) {
        store = touch;
        load = null;
        loads = null;
    }

    /** Returns a load of another thread that has not happened before; null: all have. */
    Touch unorderedLoad(int thread, Clock now) {
        if (load != null) {
            return load.thread() != thread && !load.isBefore(now) ? load : null;
        }
        if (loads != null) {
            for (Touch one : loads.values()) {
                if (one.thread() != thread && !one.isBefore(now)) {
                    return one;
                }
            }
        }
        return null;
    }

    Touch unorderedStore(int thread, Clock now) {
        return store != null && store.thread() != thread && !store.isBefore(now) ? store : null;
    }
}
