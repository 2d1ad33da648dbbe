package dev.madt.view;

import java.util.Arrays;

/**
 * Holds what one analysis keeps on each place, or on each data object: what is kept is found at an
 * index of the analysis, without a look-up, and goes when the place or data object does. An
 * analysis names its notes in {@link Needs#keeping}; a feed gives them their indexes before it
 * tells the first event.
 */
public final class Notes<T> {
    /** Holds what several analyses keep notes on, each at an index of its own. */
    abstract static sealed class Noted permits DataObject, Place {
        private static final Object[] NONE = {};

        Object[] notes = NONE;
    }

    /** Below all indexes, so that notes which nobody has named cannot be used. */
    private int index = -1;

    private int all;

    /** The feed at hand has so many notes, of which these are the one with an index. */
    void take(int at, int notes) {
        index = at;
        all = notes;
    }

    /** Returns what is kept on a place; null if nothing is. */
    public T of(Place place) {
        return find(place);
    }

    /** Returns what is kept on a data object; null if nothing is. */
    public T of(DataObject object) {
        return find(object);
    }

    public void keep(Place place, T note) {
        put(place, note);
    }

    public void keep(DataObject object, T note) {
        put(object, note);
    }

    @SuppressWarnings("unchecked") // only put writes at this index
    private T find(Noted object) {
        Object[] notes = object.notes;
        return index < notes.length ? (T) notes[index] : null;
    }

    private void put(Noted object, T note) {
        if (index >= object.notes.length) {
            object.notes = Arrays.copyOf(object.notes, all);
        }
        object.notes[index] = note;
    }
}
