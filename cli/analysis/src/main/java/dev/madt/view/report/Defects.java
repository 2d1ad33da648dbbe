package dev.madt.view.report;

import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.event.BlockKind;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Datum;
import dev.madt.view.Place;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Accesses to blocks after their end, by code, allocating call and ending call. Loads by libc are
 * apart: its string functions read whole vectors, from before a string's start to behind its end.
 */
final class Defects {
    /** Enough to find a bug by; what comes behind is only counted. */
    private static final int MOST = 10_000;

    /** What a defect is known by. */
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
        final boolean libc;
        final long first;
        long count;

        private Defect(Place place, Datum datum, boolean store, long number) {
            this.code = described(place);
            this.block = datum.name();
            this.allocated = described(datum.call());
            this.ended = described(datum.endCall());
            this.store = store;
            this.libc = place.module().startsWith("[libc.so");
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

        /** Whether it may be no bug: a vector load of libc. */
        boolean doubtful() {
            return libc && !store;
        }
    }

    private final Map<Key, Defect> found = new LinkedHashMap<>();
    private long accesses;
    private long untold;

    void look(Accesses batch) {
        for (int i = 0; i < batch.count(); i++) {
            if (batch.datum(i).dead()) {
                note(batch.place(i), batch.datum(i), batch.store(i), batch.first() + i);
            }
        }
    }

    void look(BlockAccess event) {
        if (event.target().dead()) {
            note(event.place(), event.target(), event.kind() != BlockKind.FETCH, event.number());
        }
        if (event.source() != null && event.source().dead()) {
            note(event.place(), event.source(), false, event.number());
        }
    }

    private void note(Place place, Datum datum, boolean store, long number) {
        String ended = datum.endCall() == null ? "?" : datum.endCall().name();
        Key key = new Key(place.name(), datum.call().name(), ended, store);
        Defect defect = found.get(key);
        if (defect == null && found.size() == MOST) {
            untold++;
            return;
        }
        if (defect == null) {
            defect = new Defect(place, datum, store, number);
            found.put(key, defect);
        }
        defect.count++;
        accesses += defect.doubtful() ? 0 : 1;
    }

    /** Accesses that are bugs of the program beyond doubt. */
    long accesses() {
        return accesses;
    }

    /** Accesses of further kinds that were not kept. */
    long untold() {
        return untold;
    }

    Collection<Defect> found() {
        return found.values();
    }
}
