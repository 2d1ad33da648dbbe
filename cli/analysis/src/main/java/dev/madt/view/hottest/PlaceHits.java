package dev.madt.view.hottest;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.Datum;
import dev.madt.view.Place;
import dev.madt.view.defects.CodeRole;

/** The accesses of one instruction that their names have not been told of yet. */
final class PlaceHits {
    final CodeRole role;
    private final Place place;
    private final HotName code;
    private final int weight;
    private Datum datum;
    private HotName data;
    private long times;

    PlaceHits(Place place, HotName code) {
        this.place = place;
        this.role = CodeRole.of(place);
        this.code = code;
        this.weight = place.kind().accesses();
    }

    boolean isAt(Datum accessed) {
        return datum == accessed;
    }

    /** Whether it stores, or changes what it loads. */
    boolean stores() {
        return place.kind() != AccessKind.LOAD;
    }

    /** What is accessed now. */
    Datum datum() {
        return datum;
    }

    void turnTo(Datum accessed, HotName name) {
        datum = accessed;
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
