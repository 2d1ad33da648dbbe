package dev.madt.tracker;

import dev.madt.trace.event.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Says when a thread did not run the program: it had no processor, was in a system call for long,
 * or waited for MadT. What ended is told when an event of the thread comes behind it, so that it
 * can be given to the function that was innermost then.
 */
final class ThreadAbsences {
    /** That no event has come behind. */
    private final Deque<TraceEvent.OffCpu> absences = new ArrayDeque<>();

    private final Deque<TraceEvent.SystemCall> calls = new ArrayDeque<>();
    /** Holds those that may overlap them: begin and end of each. */
    private final List<long[]> pauses = new ArrayList<>();
    /** The call that was told last: the ends of absences are known less exactly. */
    private TraceEvent.SystemCall last;

    void offCpu(TraceEvent.OffCpu event) {
        absences.add(event);
    }

    void called(TraceEvent.SystemCall event) {
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
            TraceEvent.OffCpu event = absences.remove();
            long length = own(event);
            if (length > 0) {
                to.offCpu(thread, innermost, length, event, callOf(event));
            }
        }
        while (!calls.isEmpty() && end(calls.element()) <= until) {
            last = calls.remove();
            to.called(thread, innermost, own(last), last);
        }
        pauses.removeIf(pause -> pause[1] <= until);
    }

    private static long end(TraceEvent.Span span) {
        return span.begin() + span.length();
    }

    /** Of an absence, what is not a pause. */
    private long own(TraceEvent.Span span) {
        long own = span.length();
        for (long[] pause : pauses) {
            own -= Math.max(0, span.common(pause[0], pause[1]));
        }
        return own;
    }

    /** The system call that holds at least half of an absence; null if none does. */
    private TraceEvent.SystemCall callOf(TraceEvent.OffCpu event) {
        if (last != null && holds(last, event)) {
            return last;
        }
        for (TraceEvent.SystemCall call : calls) {
            if (holds(call, event)) {
                return call;
            }
        }
        return null;
    }

    private static boolean holds(TraceEvent.SystemCall call, TraceEvent.OffCpu event) {
        return 2 * event.common(call.begin(), end(call)) >= event.length();
    }
}
