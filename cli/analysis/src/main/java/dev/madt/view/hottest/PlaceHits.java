package dev.madt.view.hottest;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.defects.CodeRole;

/** The accesses of one instruction that their names have not been told of yet. */
final class PlaceHits {
    final CodeRole role;
    private final Place place;
    private final HotName code;
    private final int weight;
    private DataObject object;
    private HotName data;
    private long times;

    PlaceHits(Place place, HotName code) {
        this.place = place;
        this.role = CodeRole.of(place);
        this.code = code;
        this.weight = place.kind().accesses();
    }

    boolean isAt(DataObject accessed) {
        return object == accessed;
    }

    /** Returns whether it stores, or changes what it loads. */
    boolean stores() {
        return place.kind() != AccessKind.LOAD;
    }

    /** Returns what is accessed now. */
    DataObject object() {
        return object;
    }

    void turnTo(DataObject accessed, HotName name) {
        object = accessed;
        data = name;
    }

    void add(long more) {
        times += more;
    }

    /** Tells both names. Returns how many accesses they had not been told of. */
    long settle() {
        long told = times * weight;
        times = 0;
        if (told > 0) {
            data.add(told);
            code.add(told);
        }
        return told;
    }
}
