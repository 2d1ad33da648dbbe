package dev.madt.view.overview;

import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.heatmap.Heat;

/** Counts each access by links, by allocation site and over time, without batches. */
record OverviewCounter(Links links, AccessCounter sites, Heat heat) implements AccessCounter {
    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        links.count(place, object, thread, address);
        sites.access(number, thread, place, object, address);
        heat.access(place, object, address, thread, number);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        long address = links.again(place, times);
        sites.again(number, thread, place, times);
        heat.again(place, null, address, thread, number, times); // the picture has no names
    }

    @Override
    public int unitBits(Place place, DataObject object) {
        return Math.min(PlaceUse.LINE_BITS, sites.unitBits(place, object));
    }

    /** The picture has to know of every page. */
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
