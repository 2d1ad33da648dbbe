package dev.madt.view.sharing;

import java.util.Arrays;

/** A vector clock: for each thread, by its index, how much of it has happened before. */
final class Clock {
    private int[] at = new int[0];

    int get(int thread) {
        return thread < at.length ? at[thread] : 0;
    }

    /** One more of a thread. */
    void tick(int thread) {
        if (thread >= at.length) {
            at = Arrays.copyOf(at, thread + 4);
        }
        at[thread]++;
    }

    /** Joins two: what has happened before another one has happened before this. */
    void join(Clock other) {
        if (other.at.length > at.length) {
            at = Arrays.copyOf(at, other.at.length);
        }
        for (int i = 0; i < other.at.length; i++) {
            at[i] = Math.max(at[i], other.at[i]);
        }
    }

    Clock copy() {
        Clock copy = new Clock();
        copy.at = at.clone();
        return copy;
    }
}
