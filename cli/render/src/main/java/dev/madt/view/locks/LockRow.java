package dev.madt.view.locks;

import dev.madt.tracker.Durations;
import java.util.Set;
import java.util.TreeSet;

/** Holds what is counted of a lock, or of several with a name in common. */
final class LockRow {
    /** Depths that are told apart; the last one and all beyond it are one. */
    static final int DEPTHS = 4;

    final String name;
    final Set<String> kinds = new TreeSet<>();
    final Set<Integer> threads = new TreeSet<>();
    final long[] depths = new long[DEPTHS];
    final Durations held = new Durations();
    long acquisitions;
    long contended;
    long failed;
    long waited;
    long heldSum;
    long unpaired;
    long kept;

    LockRow(String name) {
        this.name = name;
    }
}
