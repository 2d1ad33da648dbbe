package dev.madt.view.report;

import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.event.BlockKind;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.defects.CodeRole;
import dev.madt.view.defects.DefectRules;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Accesses to blocks after their end, by code, allocating call and ending call. What may be none by
 * {@link DefectRules} is told, but does not count.
 */
final class Defects {
    /** Enough to find a bug by; what comes behind is only counted. */
    private static final int MOST = 10_000;

    /** Says what a defect is known by. */
    private record Key(String code, String allocated, String ended, boolean store) {
        /** Not a record's own: see {@link EventCounts#equals}. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && Objects.equals(code, key.code)
                    && Objects.equals(allocated, key.allocated)
                    && Objects.equals(ended, key.ended)
                    && store == key.store;
        }

        @Override
        public int hashCode() {
            return Objects.hash(code, allocated, ended, store);
        }
    }

    /** One kind of defect, with its first case. */
    static final class Defect {
        final String code;
        final String block;
        final String allocated;
        final String ended;
        final boolean store;
        /** Why it may be none; null if there is no doubt. */
        final String doubt;

        final long first;
        long count;

        private Defect(Place place, DataObject object, boolean store, String doubt, long number) {
            this.code = described(place);
            this.block = object.shownName();
            this.allocated = described(object.call());
            this.ended = described(object.endCall());
            this.store = store;
            this.doubt = doubt;
            this.first = number;
        }

        /** {@code use+103 (main.c:12)}, with the line where it is known. */
        private static String described(Place place) {
            if (place == null) {
                return "?";
            }
            return place.ownLine().isEmpty()
                    ? place.ownName()
                    : place.ownName() + " (" + place.ownLine() + ")";
        }
    }

    private final Map<Key, Defect> found = new LinkedHashMap<>();
    private long accesses;
    private long untold;

    void look(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            if (batch.object(i).dead()) {
                Place place = batch.place(i);
                boolean store = batch.store(i);
                String doubt = DefectRules.doubtAfterEnd(CodeRole.of(place), store);
                note(place, batch.object(i), store, doubt, batch.first() + i);
            }
        }
    }

    void look(BlockAccess event) {
        if (event.target().dead()) {
            note(event, event.target(), event.kind() != BlockKind.FETCH);
        }
        if (event.source() != null && event.source().dead()) {
            note(event, event.source(), false);
        }
    }

    private void note(BlockAccess event, DataObject side, boolean store) {
        String doubt = DefectRules.doubtOfTransfer(CodeRole.of(event.place()), store);
        note(event.place(), side, store, doubt, event.number());
    }

    private void note(Place place, DataObject object, boolean store, String doubt, long number) {
        String ended = object.endCall() == null ? "?" : object.endCall().name();
        Key key = new Key(place.name(), object.call().name(), ended, store);
        Defect defect = found.get(key);
        if (defect == null && found.size() == MOST) {
            untold++;
            return;
        }
        if (defect == null) {
            defect = new Defect(place, object, store, doubt, number);
            found.put(key, defect);
        }
        defect.count++;
        accesses += defect.doubt == null ? 1 : 0;
    }

    /** Accesses that are bugs of the program beyond doubt. */
    long accesses() {
        return accesses;
    }

    /** Returns whether there is an access that is a bug, or may be one. */
    boolean isAny() {
        return !found.isEmpty();
    }

    /** Accesses of further kinds that were not kept. */
    long untold() {
        return untold;
    }

    Collection<Defect> found() {
        return found.values();
    }
}
