package dev.madt.view.locality;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts reuse distances in bins: one for each distance below 16, then eight for each power of two.
 * Each row of a table has one, so bins come into being with the distances that there are.
 */
final class ReuseHistogram {
    private static final int EXACT = 16;
    private static final int EXACT_BITS = 4;
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;

    private long[] bins = new long[EXACT];
    private long first;
    private long sum;

    /** @param distance below 0: of a line that was not accessed before */
    void add(int distance) {
        add(distance, 1);
    }

    /** As above, of so many references. */
    void add(int distance, long times) {
        sum += times;
        if (distance < 0) {
            first += times;
            return;
        }
        int bin = bin(distance);
        if (bin >= bins.length) {
            bins = Arrays.copyOf(bins, bin + STEPS);
        }
        bins[bin] += times;
    }

    void addAll(ReuseHistogram others) {
        sum += others.sum;
        first += others.first;
        if (others.bins.length > bins.length) {
            bins = Arrays.copyOf(bins, others.bins.length);
        }
        for (int bin = 0; bin < others.bins.length; bin++) {
            bins[bin] += others.bins[bin];
        }
    }

    /**
     * Makes this, which a sample gave, one of so many references as are known to be: what is
     * missing had the least distances, and what is too much, too. So a line that is used all the
     * time changes nothing, whether it is in the sample or not.
     */
    void settle(long references) {
        long missing = references - sum;
        for (int bin = 0; missing != 0 && bin < bins.length; bin++) {
            long change = Math.max(missing, -bins[bin]);
            bins[bin] += change;
            sum += change;
            missing -= change;
        }
    }

    /** Returns the bin that a distance falls into. */
    private static int bin(int distance) {
        if (distance < EXACT) {
            return distance;
        }
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(distance);
        return EXACT + (power - EXACT_BITS) * STEPS + (distance >>> power - STEP_BITS & STEPS - 1);
    }

    /** Returns the least distance of a bin. */
    static long from(int bin) {
        if (bin < EXACT) {
            return bin;
        }
        int power = (bin - EXACT) / STEPS + EXACT_BITS;
        return (1L << power) + ((long) (bin - EXACT) % STEPS << power - STEP_BITS);
    }

    int bins() {
        return bins.length;
    }

    long count(int bin) {
        return bin < bins.length ? bins[bin] : 0;
    }

    /** Returns how many references have at least the least distance of a bin, or are first ones. */
    long misses(int fromBin) {
        long misses = first;
        for (int bin = fromBin; bin < bins.length; bin++) {
            misses += bins[bin];
        }
        return misses;
    }

    /** Returns how many lines were accessed that had not been before. */
    long first() {
        return first;
    }

    /** Returns how many distances there are, those of first accesses among them. */
    long sum() {
        return sum;
    }

    /**
     * Returns the least distance of the bin in which so large a part of all distances is reached,
     * first accesses being the largest; null if it is reached by them alone.
     */
    Long quantile(double part) {
        long seen = 0;
        for (int bin = 0; bin < bins.length; bin++) {
            seen += bins[bin];
            if (seen >= part * sum) {
                return from(bin);
            }
        }
        return null;
    }

    /** Returns counts by powers of two: {@code 0}, {@code 1}, {@code 2-3} …, then {@code first}. */
    Map<String, Long> byPowers() {
        Map<String, Long> shown = new LinkedHashMap<>();
        for (int bin = 0; bin < bins.length; bin++) {
            if (bins[bin] > 0) {
                long from = Long.highestOneBit(from(bin));
                String range = from < 2 ? Long.toString(from) : from + "-" + (2 * from - 1);
                shown.merge(range, bins[bin], Long::sum);
            }
        }
        if (first > 0) {
            shown.put("first", first);
        }
        return shown;
    }
}
