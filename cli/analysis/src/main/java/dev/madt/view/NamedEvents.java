package dev.madt.view;

import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.TraceClock;
import java.util.Map;

/** Counts and names the events of a trace that are printed by their words alone. */
final class NamedEvents {
    private final Places places;
    private final DataObjectIndex data;
    private final long[] numbers = new long[RingEventType.values().length];
    private TraceClock clock;

    /** @param data null: what lies at addresses is not looked up */
    NamedEvents(Places places, DataObjectIndex data) {
        this.places = places;
        this.data = data;
    }

    void meta(Map<String, String> values) {
        TraceClock told = TraceClock.of(values);
        clock = told == null ? clock : told;
    }

    /** Returns an event with its number and names; null if it is printed in another way. */
    NamedEvent of(TraceEvent event, long next) {
        RingEventType type = event.type();
        if (!type.isPrintedByWords()) {
            return null;
        }
        long number = ++numbers[type.ordinal()];
        EventWord address = type.first(EventWord.Type.ADDRESS);
        boolean named = data != null && address != null;
        boolean coded = type.first(EventWord.Type.CODE) != null;
        return new NamedEvent(
                event,
                number,
                next,
                named ? data.at(address.of(event)) : null,
                coded ? places.ofCall(event.code()) : null,
                clock);
    }
}
