package dev.madt.view.hottest;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.tracker.ForgedName;
import dev.madt.view.DataObject;
import dev.madt.view.Place;

/**
 * Holds what has one name among the data or in the code, and how often it was accessed or has
 * accessed.
 */
final class HotName {
    /** The name while the trace is read. */
    final String name;
    /**
     * Holds what a reader wants to know beside the name: type and line of data, the module of code;
     * empty if that is nothing.
     */
    final String note;

    /** Holds where data are; empty of a function, whose module is its note. */
    final String region;

    private final DataObject object;
    private final Place place;
    private long accesses;

    private HotName(String name, String note, DataObject object, Place place) {
        this.name = name;
        this.note = note;
        this.region = object == null ? "" : object.region();
        this.object = object;
        this.place = place;
    }

    /** Of data. */
    static HotName of(DataObject object, String note) {
        Place call = object.shownCall();
        return new HotName(object.commonName(), note, object, call == null ? null : call.named());
    }

    /** Of a function. */
    static HotName of(Place place) {
        boolean unknown = place.function().equals(place.module());
        return new HotName(place.function(), unknown ? "" : place.module(), null, place);
    }

    void add(long more) {
        accesses += more;
    }

    /** Loads and stores; a modify is both. */
    long accesses() {
        return accesses;
    }

    /** The linker's name of the symbol that the name is of or goes by; null if there is none. */
    String symbol() {
        return place == null ? object.symbol() : place.symbol();
    }

    /** Returns the name as it is shown. */
    String shown(Demangler names) {
        if (symbol() == null) {
            return name;
        }
        if (place == null) {
            return object.shown(names);
        }
        String function = names.demangle(symbol(), place.module());
        return object == null
                ? function
                : ForgedName.common(
                        object.block().kind(),
                        function + place.siteName().substring(place.function().length()));
    }
}
