package dev.madt.tracker;

/**
 * In which of the 16 bytes of a page of {@link PagedRows} keys lie: 256 bits, in four words of the
 * page's array.
 */
final class PageBits {
    /** The first word, and the one behind the last. */
    static final int FIRST = 1;

    static final int BEHIND = FIRST + 4;
    private static final int UNIT_BITS = 4;

    private PageBits() {}

    /**
     * Returns how many bits are set up to that of a key; without a branch, which would often go
     * wrong.
     */
    static int rank(long[] page, long key) {
        int word = word(key);
        int bit = (int) (key >>> UNIT_BITS);
        return Long.bitCount(page[FIRST + word] & -1L >>> ~bit)
                + Long.bitCount(page[FIRST] & -word >> 31)
                + Long.bitCount(page[FIRST + 1] & 1 - word >> 31)
                + Long.bitCount(page[FIRST + 2] & 2 - word >> 31);
    }

    static void set(long[] page, long key) {
        page[FIRST + word(key)] |= bit(key);
    }

    static void clear(long[] page, long key) {
        page[FIRST + word(key)] &= ~bit(key);
    }

    /** Returns whether two keys of a page have two bits. */
    static boolean areApart(long key, long other) {
        return key >>> UNIT_BITS != other >>> UNIT_BITS;
    }

    private static int word(long key) {
        return (int) (key >>> UNIT_BITS + 6) & 3;
    }

    private static long bit(long key) {
        return 1L << (key >>> UNIT_BITS);
    }
}
