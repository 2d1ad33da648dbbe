package dev.madt.view.sharing;

import dev.madt.view.CallChain;
import dev.madt.view.Place;
import java.util.Arrays;
import java.util.Set;

/** Holds what is known of bytes that are accessed together: the last store, and loads since. */
final class Shadow {
    /**
     * An access.
     *
     * @param thread index of the thread
     * @param clock of the thread then
     * @param calls that the thread was in; null: calls are not recorded
     * @param looked atomic variables that the thread had looked at since its last event with a time
     */
    record Touch(
            int thread, int clock, Place place, LockSet locks, CallChain calls, Set<Long> looked) {
        boolean isBefore(Clock other) {
            return clock <= other.get(thread);
        }
    }

    /** Of the eight bytes, a bit each. */
    final int bytes;
    /** The index and the clock of the thread of the last store, beside that; -1: none is known. */
    private int storeThread = -1;

    private int storeClock;
    private Touch store;
    /** The same of the last load; -1: none is known, or several are. */
    private int loadThread = -1;

    private int loadClock;
    private Touch load;
    /** The last load of each thread by its index; null while those of one thread are enough. */
    private Touch[] loads;
    /** Says whether threads wait for each other by it. */
    boolean atomic;
    /** Says whether that is known only of how they do it: again and again in a loop. */
    boolean awaited;
    /** Holds what follows in these eight bytes, or null. */
    Shadow next;

    Shadow(int bytes) {
        this.bytes = bytes;
    }

    /** The same of some of its bytes. */
    Shadow part(int some) {
        Shadow part = new Shadow(some);
        part.storeThread = storeThread;
        part.storeClock = storeClock;
        part.store = store;
        part.loadThread = loadThread;
        part.loadClock = loadClock;
        part.load = load;
        part.loads = loads == null ? null : loads.clone();
        part.atomic = atomic;
        part.awaited = awaited;
        return part;
    }

    /** Returns whether an access is one like a known one in the present of its thread. */
    boolean isKnown(HappensBefore.Thread thread, boolean stores) {
        if (stores) {
            return storeThread == thread.index && storeClock == thread.now();
        }
        if (loads == null) {
            return loadThread == thread.index && loadClock == thread.now();
        }
        Touch known = loadOf(thread.index);
        return known != null && known.clock() == thread.now();
    }

    private Touch loadOf(int thread) {
        return thread < loads.length ? loads[thread] : null;
    }

    void load(Touch touch, Clock now) {
        if (loads == null
                && (loadThread < 0
                        || loadThread == touch.thread()
                        || loadClock <= now.get(loadThread))) {
            loadThread = touch.thread();
            loadClock = touch.clock();
            load = touch;
            return;
        }
        if (loads == null) {
            loads = new Touch[Math.max(loadThread, touch.thread()) + 1];
            loads[loadThread] = load;
            loadThread = -1;
            load = null;
        } else if (touch.thread() >= loads.length) {
            loads = Arrays.copyOf(loads, touch.thread() + 4);
        }
        loads[touch.thread()] = touch;
    }

    void store(Touch touch) {
        storeThread = touch.thread();
        storeClock = touch.clock();
        store = touch;
        loadThread = -1;
        load = null;
        loads = null;
    }

    /** Returns a load of another thread that has not happened before; null: all have. */
    Touch unorderedLoad(int thread, Clock now) {
        if (loads == null) {
            return loadThread >= 0 && loadThread != thread && loadClock > now.get(loadThread)
                    ? load
                    : null;
        }
        for (Touch one : loads) {
            if (one != null && one.thread() != thread && !one.isBefore(now)) {
                return one;
            }
        }
        return null;
    }

    /** The same of the store. */
    Touch unorderedStore(int thread, Clock now) {
        return storeThread >= 0 && storeThread != thread && storeClock > now.get(storeThread)
                ? store
                : null;
    }
}
