package dev.madt.view.locality;

import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds the row of an access: by its data or its code, whose names are asked for once, or by its
 * thread. Rows of equal names are one.
 */
final class KeyedRows<T> {
    private final LocalityKey key;
    private final Function<List<String>, T> made;
    private final Notes<T> notes = new Notes<>();
    private final Map<List<String>, T> rows = new LinkedHashMap<>();
    private int lastThread;
    private T ofThread;

    /** @param made makes the row of a name, and of what tells such rows apart */
    KeyedRows(LocalityKey key, Function<List<String>, T> made) {
        this.key = key;
        this.made = made;
    }

    Notes<T> notes() {
        return notes;
    }

    Collection<T> all() {
        return rows.values();
    }

    T of(int thread, Place place, DataObject object) {
        return switch (key) {
            case SYMBOL, SITE, TYPE, REGION -> of(object);
            case FUNCTION, LINE, MODULE -> of(place);
            case THREAD -> of(thread);
        };
    }

    private T of(DataObject object) {
        T row = notes.of(object);
        if (row == null) {
            row = row(names(object));
            notes.keep(object, row);
        }
        return row;
    }

    private List<String> names(DataObject object) {
        return switch (key) {
            case SITE -> List.of(object.block() == null ? Selection.NO_BLOCK : object.commonName());
            case TYPE -> List.of(object.type() == null ? Selection.NO_TYPE : object.type());
            case REGION -> List.of(object.region());
            default -> List.of(object.commonName(), object.region());
        };
    }

    private T of(Place place) {
        T row = notes.of(place);
        if (row == null) {
            row = row(
                    switch (key) {
                        case FUNCTION -> List.of(place.function(), place.module());
                        case LINE -> List.of(place.lineName(), place.lineFunction());
                        default -> List.of(place.module());
                    });
            notes.keep(place, row);
        }
        return row;
    }

    private T of(int thread) {
        if (ofThread == null || thread != lastThread) {
            ofThread = row(List.of(Integer.toUnsignedString(thread)));
            lastThread = thread;
        }
        return ofThread;
    }

    private T row(List<String> names) {
        return rows.computeIfAbsent(names, made);
    }
}
