package dev.madt.tracker;

import dev.madt.trace.event.RingEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * When a thread did not run the program: it had no processor, was in a system call for long, or
 * waited for MadT. What ended is told when an event of the thread comes behind it, so that it can
 * be given to the function that was innermost then.
 */
final class ThreadAbsences {
    /** That no event has come behind. */
    private final Deque<RingEvent> absences = new ArrayDeque<>();

    private final Deque<RingEvent> calls = new ArrayDeque<>();
    /** Those that may overlap them: begin and end of each. */
    private final List<long[]> pauses = new ArrayList<>();
    /** The call that was told last: the ends of absences are known less exactly. */
    private RingEvent last;

    void away(RingEvent event) {
        absences.add(event);
    }

    void called(RingEvent event) {
        calls.add(event);
    }

    void pause(long begin, long end) {
        pauses.add(new long[] {begin, end});
    }

    boolean areAny() {
        return !absences.isEmpty() || !calls.isEmpty() || !pauses.isEmpty();
    }

    /** Tells of what ended up to a time. */
    void tell(int thread, CallStacks.Frame innermost, long until, CallStacks.Absence to) {
        while (!absences.isEmpty() && end(absences.element()) <= until) {
            RingEvent event = absences.remove();
            long length = own(event);
            if (length > 0) {
                to.away(thread, innermost, length, event, callOf(event));
            }
        }
        while (!calls.isEmpty() && end(calls.element()) <= until) {
            last = calls.remove();
            to.called(thread, innermost, own(last), last);
        }
        pauses.removeIf(pause -> pause[1] <= until);
    }

    private static long end(RingEvent event) {
        return event.address() + event.size();
    }

    /** Of an absence, what is not a pause. */
    private long own(RingEvent event) {
        long own = event.size();
        for (long[] pause : pauses) {
            own -= Math.max(0, common(event, pause[0], pause[1]));
        }
        return own;
    }

    private static long common(RingEvent event, long begin, long end) {
        return Math.min(end, end(event)) - Math.max(begin, event.address());
    }

    /** The system call that holds at least half of an absence; null if none does. */
    private RingEvent callOf(RingEvent event) {
        if (last != null && holds(last, event)) {
            return last;
        }
        for (RingEvent call : calls) {
            if (holds(call, event)) {
                return call;
            }
        }
        return null;
    }

    private static boolean holds(RingEvent call, RingEvent event) {
        return 2 * common(event, call.address(), end(call)) >= event.size();
    }
}
