package dev.madt.console;

/**
 * Keeps the heap of a long reading or recording as small as what is needed. The serial collector
 * of newer Javas enlarges the old part of the heap up to its limit, three quarters of the machine,
 * before it looks for garbage there; that of Java 17 looks whenever the old part has had to grow.
 * Grids and tables that are made anew as they grow leave such garbage.
 */
public final class OldGarbage {
    /** The first Java whose collector may do so. */
    private static final int GROWS = 18;

    private final boolean grows = Runtime.version().feature() >= GROWS;
    private final long least;
    private long limit;

    /** @param mib what is never too much, nor is twice as much as there is already */
    public OldGarbage(int mib) {
        least = (long) mib << 20;
        limit = Math.max(least, 2 * used());
    }

    /** Collects if there is twice as much as the last time left; is asked often. */
    public void look() {
        if (grows && used() > limit) {
            System.gc();
            limit = Math.max(least, 2 * used());
        }
    }

    private static long used() {
        Runtime heap = Runtime.getRuntime();
        return heap.totalMemory() - heap.freeMemory();
    }
}
