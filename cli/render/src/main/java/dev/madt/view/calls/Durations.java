package dev.madt.view.calls;

import java.util.Arrays;

/**
 * Says how long calls took, in nanoseconds: least, most, sum, and how many took how long, in
 * classes that are 3 % wide at most.
 */
public final class Durations {
    /** Below it each number is a class; above, each power of two has so many. */
    private static final int FINE_BITS = 5;

    private static final int FINE = 1 << FINE_BITS;

    private long[] classes = new long[0];
    private long count;
    private long least = Long.MAX_VALUE;
    private long most;
    private long sum;

    /** Adds one. */
    public void add(long nanos) {
        long value = Math.max(0, nanos);
        int at = classOf(value);
        if (at >= classes.length) {
            classes = Arrays.copyOf(classes, at + FINE);
        }
        classes[at]++;
        count++;
        least = Math.min(least, value);
        most = Math.max(most, value);
        sum += value;
    }

    public long least() {
        return count == 0 ? 0 : least;
    }

    public long most() {
        return most;
    }

    public long mean() {
        return count == 0 ? 0 : sum / count;
    }

    /** So many per cent took this long at most; up to 3 % too much. */
    public long percentile(int percent) {
        long wanted = count - count * (100 - percent) / 100;
        long seen = 0;
        for (int i = 0; i < classes.length; i++) {
            seen += classes[i];
            if (seen >= wanted) {
                return Math.min(most, end(i) - 1);
            }
        }
        return most;
    }

    /**
     * Returns how many fell into each class. Below 64 each number is a class; above, class <i>c</i>
     * begins at (<i>c</i> mod 32 + 32) · 2<sup>⌊<i>c</i>/32⌋ − 1</sup>.
     */
    public long[] classes() {
        return classes.clone();
    }

    private static int classOf(long value) {
        if (value < FINE) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - FINE_BITS - Long.numberOfLeadingZeros(value);
        return (shift << FINE_BITS) + (int) (value >>> shift);
    }

    /** Returns where a class ends. */
    private static long end(int at) {
        if (at < 2 * FINE) {
            return at + 1L;
        }
        int shift = (at >> FINE_BITS) - 1;
        return (at - ((long) shift << FINE_BITS) + 1) << shift;
    }
}
