package dev.madt.view.parquet;

import dev.madt.view.Place;

/** Holds what columns say of a place, and its number in a row group. */
final class PlaceCells {
    private final Place place;
    /** Index in the group that it was in last. */
    int index;

    int group = -1;

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
        String name = place.module();
        return name.startsWith("[") && name.endsWith("]")
                ? name.substring(1, name.length() - 1)
                : name;
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
