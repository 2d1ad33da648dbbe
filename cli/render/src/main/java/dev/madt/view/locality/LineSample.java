package dev.madt.view.locality;

import dev.madt.view.Needs;

/**
 * Chooses one line in some by a hash of its number, so that each chosen line is seen at all of its
 * references: the spatial sampling of Waldspurger, Park, Garthwaite and Ahmad, "Efficient MRC
 * construction with SHARDS", FAST 2015. A distance among chosen lines is one in so many of that
 * among all.
 *
 * <p>Chosen lines go into groups, also by their hash. How much the groups differ tells how far the
 * sum of all is expected to be off (the random groups of Wolter, "Introduction to variance
 * estimation", 2007).
 */
final class LineSample implements Needs.Memory {
    private static final int GROUPS = 16;

    private final int oneIn;
    private final int lineBits;
    private final long below;
    private final ReuseHistogram[] groups = new ReuseHistogram[GROUPS];

    /**
     * @param oneIn how many lines one is chosen of
     * @param lineBytes a power of two
     */
    LineSample(int oneIn, int lineBytes) {
        this.oneIn = oneIn;
        this.lineBits = Integer.numberOfTrailingZeros(lineBytes);
        this.below = Long.divideUnsigned(-1, oneIn);
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = new ReuseHistogram();
        }
    }

    int oneIn() {
        return oneIn;
    }

    /** Mixes the bits of a number, as splitmix64 does. */
    static long hash(long number) {
        long mixed = number + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    boolean takes(long line) {
        return Long.compareUnsigned(hash(line), below) < 0;
    }

    /** Also of an access in several lines, so that references of what is left out are accesses. */
    @Override
    public boolean concerns(long address, int size) {
        long line = address >>> lineBits;
        return takes(line) || address + Math.max(1, size) - 1 >>> lineBits != line;
    }

    /** Returns a distance among all lines; below 0 as it is. */
    int scaled(int distance) {
        return distance < 0 ? distance : (int) Math.min(Integer.MAX_VALUE, (long) distance * oneIn);
    }

    /** Counts a reference to a line that is chosen. */
    void add(long line, int distance) {
        groups[(int) hash(line) & GROUPS - 1].add(distance, oneIn);
    }

    /**
     * Returns by how many the number of references with distances from that of a bin on is expected
     * to be off: the standard error.
     */
    double error(int fromBin) {
        double[] counts = new double[GROUPS];
        double mean = 0;
        for (int i = 0; i < GROUPS; i++) {
            counts[i] = groups[i].misses(fromBin);
            mean += counts[i] / GROUPS;
        }
        double squares = 0;
        for (double count : counts) {
            squares += (count - mean) * (count - mean);
        }
        return Math.sqrt(squares * GROUPS / (GROUPS - 1) * (oneIn - 1) / oneIn);
    }
}
