package dev.madt.view.heatmap;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Bulk transfers by the names that they read and wrote, thread and slice of time, each counted
 * once: pages and names alone would count a copy on both its sides.
 */
final class Transfers {
    /** In the place of a name: that side is not there, or not selected. */
    static final int NOTHING = -1;

    /** The names of both sides, by index, or {@link #NOTHING}. */
    record Sides(int read, int written) {}

    /** Takes counts; {@code sides} is an index of {@link #sides}. */
    interface Visitor {
        void events(int sides, int thread, int slice, long count);
    }

    private final LongIntHashMap indexes = new LongIntHashMap();
    private final List<Sides> sides = new ArrayList<>();
    private final HeatCells cells = new HeatCells(Integer.MAX_VALUE);

    void count(int read, int written, int thread, long time) {
        long key = (long) read << Integer.SIZE | written & 0xffffffffL;
        int index = indexes.getIfAbsent(key, NOTHING);
        if (index < 0) {
            index = sides.size() < HeatCells.MOST_PAGES ? sides.size() : 0;
            if (index == sides.size()) {
                sides.add(new Sides(read, written));
            }
            indexes.put(key, index);
        }
        cells.count(index, 0, thread, time, false);
    }

    List<Sides> sides() {
        return sides;
    }

    /** Gives all counts by slices of so many accesses: a multiple of what is counted by. */
    void each(long slice, Visitor visitor) {
        int coarser = (int) Math.max(1, slice / cells.slice());
        cells.each((page, name, thread, at, count, stores, reads, writes) ->
                visitor.events(page, thread, at / coarser, count));
    }
}
