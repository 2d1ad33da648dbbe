package dev.madt.view.parquet;

import dev.madt.view.Place;

/** Holds what columns say of a place, and its number in a row group. */
final class PlaceCells extends GroupCell {
    private final Place place;

    PlaceCells(Place place) {
        this.place = place;
    }

    private static String known(String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    String function() {
        return place.function();
    }

    String code() {
        return place.name();
    }

    String module() {
        return place.moduleName();
    }

    String file() {
        return known(place.file());
    }

    Long line() {
        return place.line() > 0 ? (long) place.line() : null;
    }

    Long size() {
        return place.size() > 0 ? (long) place.size() : null;
    }
}
