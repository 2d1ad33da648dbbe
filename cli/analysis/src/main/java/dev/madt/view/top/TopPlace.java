package dev.madt.view.top;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.DataObject;
import dev.madt.view.Place;

/** The accesses of one instruction that their names have not been told of yet. */
final class TopPlace {
    final int loads;
    final int stores;
    private final TopCount function;
    private final TopCount site;
    private DataObject object;
    private TopCount data;
    private long times;

    TopPlace(Place place, TopCount function, TopCount site) {
        this.loads = place.kind() == AccessKind.STORE ? 0 : 1;
        this.stores = place.kind() == AccessKind.LOAD ? 0 : 1;
        this.function = function;
        this.site = site;
    }

    boolean isAt(DataObject accessed) {
        return object == accessed;
    }

    void turnTo(DataObject accessed, TopCount name) {
        settle();
        object = accessed;
        data = name;
    }

    void add(long more) {
        times += more;
    }

    /** Tells all names of what has been counted. */
    void settle() {
        if (times > 0) {
            long allLoads = times * loads;
            long allStores = times * stores;
            data.add(allLoads, allStores);
            function.add(allLoads, allStores);
            site.add(allLoads, allStores);
            times = 0;
        }
    }
}
