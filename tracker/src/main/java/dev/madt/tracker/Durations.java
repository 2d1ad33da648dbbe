package dev.madt.tracker;

/**
 * Says how long calls took, in nanoseconds: least, most, sum, and how many took how long, in
 * classes that are 3 % wide at most.
 */
public final class Durations {
    /** Below it each number is a class; above, each power of two has so many. */
    private static final int FINE_BITS = 5;

    private static final int FINE = 1 << FINE_BITS;

    private long[] classes = new long[0];
    /** The class that the first element counts. */
    private int first;

    private long count;
    private long least = Long.MAX_VALUE;
    private long most;
    private long sum;

    /** Adds one. */
    public void add(long nanos) {
        long value = Math.max(0, nanos);
        int at = classOf(value);
        if (at < first || at >= first + classes.length) {
            reach(at);
        }
        classes[at - first]++;
        count++;
        least = Math.min(least, value);
        most = Math.max(most, value);
        sum += value;
    }

    private void reach(int at) {
        int from = at & -FINE;
        int to = from + FINE;
        if (count > 0) {
            from = Math.min(from, first);
            to = Math.max(to, first + classes.length);
        }
        long[] wider = new long[to - from];
        System.arraycopy(classes, 0, wider, count > 0 ? first - from : 0, classes.length);
        classes = wider;
        first = from;
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
                return Math.min(most, end(first + i) - 1);
            }
        }
        return most;
    }

    /**
     * Returns how many fell into each class. Below 64 each number is a class; above, class <i>c</i>
     * begins at (<i>c</i> mod 32 + 32) · 2<sup>⌊<i>c</i>/32⌋ − 1</sup>.
     */
    public long[] classes() {
        long[] all = new long[first + classes.length];
        System.arraycopy(classes, 0, all, first, classes.length);
        return all;
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
