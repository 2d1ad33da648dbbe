package dev.madt.view.calls;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.TraceClock;
import dev.madt.view.CallChain;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import dev.madt.view.ThreadCalls;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** The calls that threads are in, and since when. */
public final class TimedCalls {
    /** Stands for a time that nobody knows. */
    public static final long UNKNOWN = -1;

    private final ThreadCalls calls = new ThreadCalls();
    private final Map<CallChain, String> paths = new IdentityHashMap<>();
    /** Holds when threads entered or left a function last, in nanoseconds. */
    private final Map<Integer, Long> times = new HashMap<>();

    private boolean recorded;
    private TraceClock clock;

    /** Takes what a trace says of itself. */
    public void meta(Map<String, String> values) {
        recorded |= values.containsKey("calls");
        TraceClock told = TraceClock.of(values);
        clock = told == null ? clock : told;
    }

    /** Whom to ask which stack an address is in. */
    public void neighbours(Neighbours space) {
        calls.neighbours(space);
    }

    /** A function is entered or left, at a time by the trace's clock; 0: nobody knows when. */
    public void call(int thread, Place place, long stack, long time) {
        calls.call(thread, place, stack);
        if (clock != null && time != 0) {
            times.put(thread, clock.time(time));
        }
    }

    /** Takes an event, as {@link ThreadCalls#ring} does. */
    public void ring(TraceEvent event) {
        calls.ring(event);
        if (event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END) {
            times.remove(event.thread());
        }
    }

    /**
     * Returns the functions that a thread is in, the outermost first; null: no calls were recorded.
     */
    public String path(int thread) {
        return recorded ? paths.computeIfAbsent(calls.of(thread), CallChain::path) : null;
    }

    /**
     * Returns when a thread entered or left a function last, in nanoseconds since the recording
     * began; or {@link #UNKNOWN}.
     */
    public long time(int thread) {
        return times.getOrDefault(thread, UNKNOWN);
    }
}
