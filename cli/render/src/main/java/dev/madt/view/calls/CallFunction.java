package dev.madt.view.calls;

import dev.madt.tracker.Durations;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/** A function and what its calls cost. */
public final class CallFunction extends CallCost {
    private final String name;
    private final String module;
    private final Durations durations = new Durations();
    private final IntIntHashMap others = new IntIntHashMap();
    private long waited;
    private long preempted;
    private long called;
    /** By who took the processor: nanoseconds. */
    private final Map<String, Long> takers = new HashMap<>();
    /** By the system call that it waited in, or was in: nanoseconds. */
    private final Map<String, Long> calls = new HashMap<>();

    private int thread;
    /** Calls of it that are open in the thread. */
    private int open;

    CallFunction(String name, String module) {
        this.name = name;
        this.module = module;
    }

    public String name() {
        return name;
    }

    public String module() {
        return module;
    }

    public Durations durations() {
        return durations;
    }

    /** One of its calls begins in a thread. */
    public void enter(int byThread) {
        turnTo(byThread);
        open++;
    }

    /** It has ended, in a thread where it was open when the recording began. */
    public void leaveOpen(int byThread, long nanos, long selfNanos) {
        turnTo(byThread);
        spent(selfNanos);
        if (--open == 0) {
            took(nanos);
        }
    }

    /** One of its calls has ended. */
    public void leave(int byThread, long nanos, long selfNanos) {
        turnTo(byThread);
        ended(selfNanos);
        durations.add(nanos);
        if (--open == 0) {
            took(nanos);
        }
    }

    /** One of its calls has ended, and is not to be counted. */
    public void pass(int byThread) {
        turnTo(byThread);
        open--;
    }

    /**
     * It had no processor for a while.
     *
     * @param by who got the processor that it would have gone on with; null: it waited
     * @param in the system call that it was in then; empty if none is known
     */
    void offCpu(long nanos, String by, String in) {
        if (by == null) {
            waited += nanos;
            calls.merge(in, nanos, Long::sum);
        } else {
            preempted += nanos;
            takers.merge(by, nanos, Long::sum);
        }
    }

    /** It was in a system call for long. */
    void called(long nanos, String in) {
        called += nanos;
        calls.merge(in, nanos, Long::sum);
    }

    /** In system calls that took long; known where it is not known when it had no processor. */
    long called() {
        return called;
    }

    /** The system call in which it waited, or was, most; empty if none is known. */
    String systemCall() {
        return most(calls);
    }

    /** Time in it alone in which its threads had a processor, where absences are known. */
    long onProcessor() {
        return Math.max(0, self() - waited - preempted);
    }

    long waited() {
        return waited;
    }

    long preempted() {
        return preempted;
    }

    /** Returns who took the processor for most of {@link #preempted}; empty if nobody did. */
    String taker() {
        return most(takers);
    }

    private static String most(Map<String, Long> nanos) {
        return nanos.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private void turnTo(int byThread) {
        if (byThread != thread) {
            others.put(thread, open);
            thread = byThread;
            open = others.get(byThread);
        }
    }
}
