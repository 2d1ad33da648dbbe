package dev.madt.view.cache;

/**
 * The form of a cache.
 *
 * @param size bytes, a multiple of {@code ways × line}
 * @param ways lines of a set
 * @param line bytes of a line, a power of two
 */
public record CacheGeometry(long size, int ways, int line) {
    /** More lines than this would cost more memory than a view has. */
    private static final long MOST_LINES = 1L << 23;

    public CacheGeometry {
        if (line < 8 || Integer.bitCount(line) != 1) {
            throw new IllegalArgumentException(
                    "a line has a power of two of bytes from 8, not " + line);
        }
        if (ways < 1 || size < 1 || size % ((long) ways * line) != 0) {
            throw new IllegalArgumentException(
                    size + " bytes are no whole number of sets of " + ways + " lines of " + line);
        }
        if (size / line > MOST_LINES) {
            throw new IllegalArgumentException(
                    "at most " + MOST_LINES + " lines can be simulated, not " + size / line);
        }
    }

    /**
     * Reads {@code size,ways,line}; the size may end in K or M.
     *
     * @throws IllegalArgumentException with the reason if it is none
     */
    public static CacheGeometry of(String text) {
        String[] parts = text.split(",", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("three numbers are needed: size,ways,line");
        }
        try {
            return new CacheGeometry(
                    bytes(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("three numbers are needed: size,ways,line", e);
        }
    }

    /** A number of bytes as /sys writes it: {@code 32K}. */
    static long bytes(String text) {
        int shift = text.endsWith("K") ? 10 : text.endsWith("M") ? 20 : 0;
        String number = shift == 0 ? text : text.substring(0, text.length() - 1);
        return Math.multiplyExact(Long.parseLong(number), 1L << shift);
    }

    public long sets() {
        return size / ((long) ways * line);
    }

    /** As Cachegrind describes a cache. */
    @Override
    public String toString() {
        return size + " B, " + line + " B, "
                + (ways == 1 ? "direct-mapped" : ways + "-way associative");
    }
}
