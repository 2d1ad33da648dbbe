package dev.madt.cli.convert;

import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Costs by module and function, or by what is accessed and function; one of each pair of names. */
final class Costs {
    private final boolean byData;
    private final Map<String, Cost> costs = new TreeMap<>();

    /** @param byData whether the object is the accessed variable or allocation site, not the function's module */
    Costs(boolean byData) {
        this.byData = byData;
    }

    /** The cost of a place that accesses a datum. */
    Cost of(Place place, Datum datum) {
        return byData ? byData(place, datum) : byModule(place);
    }

    private Cost byModule(Place place) {
        Cost cost = (Cost) place.note();
        if (cost == null) {
            cost = named(place.module(), place.function());
            place.note(cost);
        }
        return cost;
    }

    @SuppressWarnings("unchecked")
    private Cost byData(Place place, Datum datum) {
        if (datum.note() == null) {
            datum.note(new HashMap<String, Cost>());
        }
        Map<String, Cost> functions = (Map<String, Cost>) datum.note();
        return functions.computeIfAbsent(place.function(), function -> named(datum.commonName(), function));
    }

    private Cost named(String object, String function) {
        return costs.computeIfAbsent(object + '\n' + function, key -> new Cost(object, function));
    }

    /** All, by the names of objects, then of functions. */
    Collection<Cost> all() {
        return costs.values();
    }

    Cost total() {
        Cost total = new Cost("", "");
        costs.values().forEach(total::add);
        return total;
    }
}
