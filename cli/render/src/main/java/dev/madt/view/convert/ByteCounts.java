package dev.madt.view.convert;

/**
 * Counts how often each byte was accessed, over all blocks of a site, as long as these have one
 * size of at most 1,024 bytes: the limits of Valgrind's DHAT.
 */
final class ByteCounts {
    private static final int MOST_BYTES = 1_024;

    private long size = -1;
    private long[] counts;
    private boolean mixed;

    void born(long bytes) {
        if (size < 0 && bytes >= 0 && bytes <= MOST_BYTES) {
            size = bytes;
            counts = new long[(int) bytes];
        } else if (bytes != size) {
            mixed = true;
            counts = null;
        }
    }

    /** Counts what lies inside the block. */
    void add(long offset, long length) {
        if (counts != null) {
            long end = Math.min(size, offset + length);
            for (long i = Math.max(0, offset); i < end; i++) {
                counts[(int) i]++;
            }
        }
    }

    /** Counts by offset; null unless all blocks had one size. */
    long[] counts() {
        return mixed ? null : counts;
    }
}
