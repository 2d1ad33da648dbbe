package dev.madt.tracker;

import java.util.HashMap;
import java.util.Map;

/**
 * Takes from times what threads have waited for MadT so far. A time may have been read in front of
 * a wait that was told before it: a probe that meets the end of a chunk has read it already.
 */
public final class ThreadPauses {
    /** Waits of a thread that a time may be in front of, at most. */
    private static final int LAST = 16;

    private static final class OfThread {
        long sum;
        final long[] begins = new long[LAST];
        final long[] lengths = new long[LAST];
        int next;
    }

    private final Map<Integer, OfThread> threads = new HashMap<>();

    /** Takes a wait; those of a thread come in the order of their begins. */
    public void add(int thread, long begin, long length) {
        OfThread of = threads.computeIfAbsent(thread, absent -> new OfThread());
        of.sum += length;
        of.begins[of.next % LAST] = begin;
        of.lengths[of.next % LAST] = length;
        of.next++;
    }

    /** Returns a time of a thread without its waits that began before it. */
    public long without(int thread, long time) {
        OfThread of = threads.get(thread);
        if (of == null) {
            return time;
        }
        long sum = of.sum;
        for (int i = of.next - 1; i >= Math.max(0, of.next - LAST); i--) {
            if (of.begins[i % LAST] < time) {
                break;
            }
            sum -= of.lengths[i % LAST];
        }
        return time - sum;
    }
}
