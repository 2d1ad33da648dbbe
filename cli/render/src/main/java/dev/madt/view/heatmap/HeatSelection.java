package dev.madt.view.heatmap;

import dev.madt.view.NamePattern;
import dev.madt.view.ThreadChoice;

/**
 * Says what a heatmap counts.
 *
 * @param loads whether loads count
 * @param stores whether stores count
 * @param symbol name of the variable or block, or null for all
 * @param thread the only threads
 */
public record HeatSelection(
        boolean loads, boolean stores, NamePattern symbol, ThreadChoice thread) {
    /** As above, by the number of the only thread, or -1 for all. */
    public HeatSelection(boolean loads, boolean stores, NamePattern symbol, long thread) {
        this(loads, stores, symbol, ThreadChoice.of(thread));
    }

    /** Returns whether every access of the threads counts. */
    boolean all() {
        return loads && stores && symbol == null;
    }

    boolean thread(int tid) {
        return thread.holds(tid);
    }
}
