package dev.madt.view.timeline;

import dev.madt.view.NamePattern;
import dev.madt.view.ThreadChoice;

/**
 * Says which calls are drawn: those of some functions and of one thread, from their begin to their
 * end, if they reach into a range of events or times, or into a window of the recording.
 *
 * @param function null: all
 * @param thread the only threads
 * @param from number of the first event
 * @param until number of the last event; negative: the trace's
 * @param after first nanosecond
 * @param before last nanosecond; negative: the trace's
 * @param window number of the window, from 1; negative: all
 */
public record TimelineSelection(
        NamePattern function,
        ThreadChoice thread,
        long from,
        long until,
        long after,
        long before,
        long window) {
    /** Everything. */
    public static final TimelineSelection ALL =
            new TimelineSelection(null, ThreadChoice.ALL, 0, -1, 0, -1, -1);

    boolean isThread(int tid) {
        return thread.holds(tid);
    }

    boolean isFunction(String name) {
        return function == null || function.matches(name);
    }

    /** Returns whether an event lies in front of all that is selected, apart from windows. */
    boolean isBefore(long number, long nanos) {
        return number < from || nanos < after;
    }

    /** Returns whether an event lies behind all that is selected, apart from windows. */
    boolean isBehind(long number, long nanos) {
        return until >= 0 && number > until || before >= 0 && nanos > before;
    }
}
