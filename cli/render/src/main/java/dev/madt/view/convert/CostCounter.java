package dev.madt.view.convert;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;

/**
 * Counts accesses at the costs of their instructions, each of which keeps the cost that it counted
 * at last.
 */
final class CostCounter implements AccessCounter {
    /** Holds what an instruction keeps. */
    private static final class Kept {
        private final int loads;
        private final int stores;
        private final int bytes;
        private DataObject object;
        private Cost cost;

        private Kept(Place place) {
            loads = place.kind() == AccessKind.STORE ? 0 : 1;
            stores = place.kind() == AccessKind.LOAD ? 0 : 1;
            bytes = place.size() * (loads + stores);
        }

        private void count(long times) {
            cost.loads += times * loads;
            cost.stores += times * stores;
            cost.bytes += times * bytes;
        }
    }

    private final Costs costs;
    private final Notes<Kept> notes = new Notes<>();

    CostCounter(Costs costs) {
        this.costs = costs;
    }

    /** Returns what the counter keeps. */
    Notes<?> notes() {
        return notes;
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        Kept kept = notes.of(place);
        if (kept == null) {
            kept = new Kept(place);
            notes.keep(place, kept);
        }
        if (kept.cost == null || kept.object != object) {
            kept.object = object;
            kept.cost = costs.of(place, object);
        }
        kept.count(1);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        notes.of(place).count(times);
    }

    @Override
    public boolean byDataObject() {
        return costs.byData();
    }
}
