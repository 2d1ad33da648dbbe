package dev.madt.view.heatmap;

import dev.madt.view.AccessCounter;
import dev.madt.view.Datum;
import dev.madt.view.Notes;
import dev.madt.view.Place;

/**
 * Counts accesses in the cells of a heatmap; what is done again within a slice of time is told at
 * its end.
 */
final class HeatCounter implements AccessCounter {
    /** Where an instruction accessed memory last. */
    private static final class Kept {
        private long address;
        private Datum datum;
    }

    private final Heat heat;
    private final Notes<Kept> lasts = new Notes<>();

    HeatCounter(Heat heat) {
        this.heat = heat;
    }

    /** What the counter keeps. */
    Notes<?> notes() {
        return lasts;
    }

    @Override
    public void access(long number, int thread, Place place, Datum datum, long address) {
        Kept kept = lasts.of(place);
        if (kept == null) {
            kept = new Kept();
            lasts.keep(place, kept);
        }
        kept.address = address;
        kept.datum = datum;
        heat.access(place, datum, address, thread, number);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        Kept kept = lasts.of(place);
        heat.again(place, kept.datum, kept.address, thread, number, times);
    }

    @Override
    public int unitBits(Place place, Datum datum) {
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
