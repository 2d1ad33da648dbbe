package dev.madt.view.cache;

/**
 * A set-associative cache that replaces the line unused longest and fills a line on every miss,
 * store misses too. The lines of a set stand in the order of their last use.
 */
public final class Cache {
    private final int ways;
    private final int lineBits;
    private final long sets;
    private final boolean powerOfTwo;
    /** Line numbers + 1; 0 is an empty place. */
    private final long[] lines;

    public Cache(CacheGeometry geometry) {
        this.ways = geometry.ways();
        this.lineBits = Integer.numberOfTrailingZeros(geometry.line());
        this.sets = geometry.sets();
        this.powerOfTwo = Long.bitCount(sets) == 1;
        this.lines = new long[(int) (sets * ways)];
    }

    /**
     * Accesses bytes; all lines that they lie in are fetched.
     *
     * @return whether one of the lines was not there
     */
    public boolean misses(long address, long size) {
        long first = address >>> lineBits;
        long last = address + Math.max(1, size) - 1 >>> lineBits;
        boolean miss = fetch(first);
        for (long line = first + 1; line <= last; line++) {
            miss |= fetch(line);
        }
        return miss;
    }

    /** Puts a line in front of its set; whether it was not in the set. */
    private boolean fetch(long line) {
        int start =
                (int) (powerOfTwo ? line & sets - 1 : Long.remainderUnsigned(line, sets)) * ways;
        long tag = line + 1;
        long moved = lines[start];
        if (moved == tag) {
            return false;
        }
        for (int i = start + 1; i < start + ways; i++) {
            long here = lines[i];
            lines[i] = moved;
            if (here == tag) {
                lines[start] = tag;
                return false;
            }
            moved = here;
        }
        lines[start] = tag;
        return true;
    }
}
