package dev.madt.view.convert;

import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Costs by source line, function and module, or what is accessed instead of the module; one of
 * each.
 */
final class Costs {
    private final boolean byData;
    private final Notes<Cost> ofPlaces = new Notes<>();
    private final Notes<Map<Place, Cost>> ofData = new Notes<>();
    private final Map<String, Cost> costs = new TreeMap<>();

    /**
     * @param byData whether the object is the accessed variable or allocation site, not the
     *     function's module
     */
    Costs(boolean byData) {
        this.byData = byData;
    }

    /** Returns what is kept on places and data. */
    List<Notes<?>> notes() {
        return List.of(ofPlaces, ofData);
    }

    /** Returns whether the cost depends on what is accessed. */
    boolean byData() {
        return byData;
    }

    /** The cost of a place that accesses a data object. */
    Cost of(Place place, DataObject object) {
        return byData ? byData(place, object) : byModule(place);
    }

    private Cost byModule(Place place) {
        Cost cost = ofPlaces.of(place);
        if (cost == null) {
            cost = named(place.module(), place);
            ofPlaces.keep(place, cost);
        }
        return cost;
    }

    private Cost byData(Place place, DataObject object) {
        Map<Place, Cost> places = ofData.of(object);
        if (places == null) {
            places = new HashMap<>();
            ofData.keep(object, places);
        }
        return places.computeIfAbsent(place, absent -> named(object.commonName(), place));
    }

    /** Costs of one object, function and file stand together, lines in their order. */
    private Cost named(String object, Place place) {
        String key = String.join(
                "\n",
                object,
                place.functionFile(),
                place.function(),
                place.file(),
                String.format("%010d", place.line()));
        return costs.computeIfAbsent(key, absent -> new Cost(object, place));
    }

    /** All, by the names of objects, then of functions, then by lines. */
    Collection<Cost> all() {
        return costs.values();
    }

    Cost total() {
        Cost total = new Cost("", "");
        costs.values().forEach(total::add);
        return total;
    }
}
