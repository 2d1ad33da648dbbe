package dev.madt.view.timeline;

import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Times in which threads did not run the program, from when they are read until it is known what
 * came in between. Absences where a trace has them, else system calls.
 */
final class AwaitedAbsences {
    private final Set<RingEvent> awaited = Collections.newSetFromMap(new IdentityHashMap<>());
    /** System calls in which a trace of absences ends; an absence that lasts is in no trace. */
    private final List<RingEvent> open = new ArrayList<>();

    private boolean switches;

    /** Whether it is known when threads had no processor; once it is, it stays so. */
    void known(boolean isKnown) {
        switches |= isKnown;
    }

    /** Whether an event is one of those that are told. */
    boolean takes(RingEvent event) {
        return event.type() == RingEventType.AWAY
                ? switches
                : event.type() == RingEventType.SYSTEM_CALL
                        && (!switches || SystemCallEvent.isOpen(event));
    }

    void add(RingEvent event) {
        if (switches && event.type() == RingEventType.SYSTEM_CALL) {
            open.add(event);
        } else {
            awaited.add(event);
        }
    }

    /** Whether an event was awaited; it is not any more. */
    boolean remove(RingEvent event) {
        return awaited.remove(event);
    }

    List<RingEvent> open() {
        return open;
    }
}
