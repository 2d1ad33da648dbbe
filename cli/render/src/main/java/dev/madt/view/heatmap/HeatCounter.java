package dev.madt.view.heatmap;

import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;

/**
 * Counts accesses in the cells of a heatmap; what is done again within a slice of time is told at
 * its end.
 */
final class HeatCounter implements AccessCounter {
    /** Says where an instruction accessed memory last. */
    private static final class Kept {
        private long address;
        private DataObject object;
    }

    private final Heat heat;
    private final Notes<Kept> lasts = new Notes<>();

    HeatCounter(Heat heat) {
        this.heat = heat;
    }

    /** Returns what the counter keeps. */
    Notes<?> notes() {
        return lasts;
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        Kept kept = lasts.of(place);
        if (kept == null) {
            kept = new Kept();
            lasts.keep(place, kept);
        }
        kept.address = address;
        kept.object = object;
        heat.access(place, object, address, thread, number);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        Kept kept = lasts.of(place);
        heat.again(place, kept.object, kept.address, thread, number, times);
    }

    @Override
    public int unitBits(Place place, DataObject object) {
        return heat.pageBits();
    }

    @Override
    public boolean byUnit() {
        return true;
    }

    @Override
    public void behind(long next) {
        heat.endsAt(next);
    }

    @Override
    public long until() {
        return heat.sliceEnd();
    }

    @Override
    public boolean byThread() {
        return true;
    }
}
