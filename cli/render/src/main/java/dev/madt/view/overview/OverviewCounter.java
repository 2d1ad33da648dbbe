package dev.madt.view.overview;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.LinkCells;

/** Counts each access by links, by allocation site and over time, without batches. */
record OverviewCounter(Links links, AccessCounter sites, Heat heat, LinkCells cells)
        implements AccessCounter {
    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        PlaceUse use = links.count(place, object, thread, address);
        sites.access(number, thread, place, object, address);
        heat.access(place, object, address, thread, number);
        cells.access(use.link().index(), address, number, 1);
        if (place.kind() == AccessKind.MODIFY) {
            cells.access(use.link().index(), address, number + 1, 1);
        }
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        PlaceUse use = links.again(place, times);
        long address = use.address();
        sites.again(number, thread, place, times);
        heat.again(place, null, address, thread, number, times); // the picture has no names
        cells.access(use.link().index(), address, number, times * place.kind().accesses());
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
        return Math.min(heat.sliceEnd(), cells.sliceEnd());
    }

    @Override
    public boolean byThread() {
        return true;
    }
}
