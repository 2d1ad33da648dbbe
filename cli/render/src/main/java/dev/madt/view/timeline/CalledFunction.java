package dev.madt.view.timeline;

import dev.madt.view.calls.CallFunction;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A function of a timeline, and its longest calls, which are never merged. */
final class CalledFunction {
    /** So many calls of each function are told apart at any rate. */
    static final int KEPT = 10;

    private final int number;
    private final CallFunction cost;
    private final Map<String, DataBytes> data = new HashMap<>();
    /** Lengths and starts of the longest calls, the longest first. */
    private final long[] lengths = new long[KEPT];

    private final long[] starts = new long[KEPT];
    private int known;

    CalledFunction(int number, CallFunction cost) {
        this.number = number;
        this.cost = cost;
    }

    /** Returns what it read and wrote of the data of this name. */
    DataBytes data(String name) {
        return data.computeIfAbsent(name, DataBytes::new);
    }

    /** Returns what it read and wrote, the most bytes first. */
    List<DataBytes> data() {
        return data.values().stream()
                .sorted(Comparator.comparingLong(one -> -one.all()))
                .toList();
    }

    int number() {
        return number;
    }

    String name() {
        return cost.name();
    }

    CallFunction cost() {
        return cost;
    }

    /** One of its calls has ended. */
    void took(long length, long start) {
        if (known == KEPT && !isLonger(length, start, KEPT - 1)) {
            return;
        }
        int at = known < KEPT ? known++ : KEPT - 1;
        for (; at > 0 && isLonger(length, start, at - 1); at--) {
            lengths[at] = lengths[at - 1];
            starts[at] = starts[at - 1];
        }
        lengths[at] = length;
        starts[at] = start;
    }

    /**
     * Returns whether a call is one of the {@code most} longest ones. Of equal ones the first is.
     */
    boolean isKept(long length, long start, int most) {
        int last = Math.min(known, most) - 1;
        return last >= 0
                && !(lengths[last] > length || lengths[last] == length && starts[last] < start);
    }

    private boolean isLonger(long length, long start, int than) {
        return length > lengths[than] || length == lengths[than] && start < starts[than];
    }
}
