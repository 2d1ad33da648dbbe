package dev.madt.view.timeline;

import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
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
    private final Set<TraceEvent.Span> awaited = Collections.newSetFromMap(new IdentityHashMap<>());
    /** System calls in which a trace of absences ends; an absence that lasts is in no trace. */
    private final List<TraceEvent.SystemCall> open = new ArrayList<>();

    private boolean switches;

    /** Notes whether it is known when threads had no processor; once it is, it stays so. */
    void known(boolean isKnown) {
        switches |= isKnown;
    }

    /** Takes a time if it is one of those that are told. */
    void take(TraceEvent.Span span) {
        if (span instanceof TraceEvent.OffCpu && switches) {
            awaited.add(span);
        } else if (span instanceof TraceEvent.SystemCall call) {
            if (!switches) {
                awaited.add(call);
            } else if (SystemCallEvent.isOpen(call)) {
                open.add(call);
            }
        }
    }

    /** Returns whether an event was awaited; it is not any more. */
    boolean remove(TraceEvent.Span event) {
        return awaited.remove(event);
    }

    List<TraceEvent.SystemCall> open() {
        return open;
    }
}
