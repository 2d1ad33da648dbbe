package dev.madt.view.locality;

import java.util.Arrays;

/**
 * Says how many accesses were by which function and to which data, by their numbers: those of
 * functions are even, those of data odd. Each access is one of either.
 */
final class Signature {
    private static final int KINDS = 2;

    private final long[] counts;
    private final long accesses;

    /** @param counts is kept */
    Signature(long[] counts) {
        this.counts = counts;
        long sum = 0;
        for (int i = 0; i < counts.length; i += KINDS) {
            sum += counts[i];
        }
        this.accesses = sum;
    }

    long accesses() {
        return accesses;
    }

    long count(int number) {
        return number < counts.length ? counts[number] : 0;
    }

    /** Returns how many numbers there are. */
    int numbers() {
        return counts.length;
    }

    /** Returns the sum of both. */
    Signature with(Signature other) {
        long[] sum = Arrays.copyOf(counts, Math.max(counts.length, other.counts.length));
        for (int i = 0; i < other.counts.length; i++) {
            sum[i] += other.counts[i];
        }
        return new Signature(sum);
    }

    /**
     * Returns how much both differ, 0 to 1: the part of the accesses that would have to be by other
     * functions, and the part that would have to be to other data; the mean of the two.
     */
    double difference(Signature other) {
        double sum = 0;
        for (int i = 0; i < Math.max(counts.length, other.counts.length); i++) {
            sum += Math.abs(
                    count(i) / (double) accesses - other.count(i) / (double) other.accesses);
        }
        return sum / KINDS / KINDS;
    }
}
