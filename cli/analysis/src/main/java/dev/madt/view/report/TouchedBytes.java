package dev.madt.view.report;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which bytes of a block were accessed: a bit per byte, made by chunks of 4,096 bytes when
 * they are first touched.
 */
public final class TouchedBytes {
    private static final int CHUNK_BITS = 12;
    private static final int WORDS = 64;

    private final long size;
    private long[] first;
    private LongObjectHashMap<long[]> chunks;

    /** @param size bytes of the block; what lies outside is not counted */
    public TouchedBytes(long size) {
        this.size = Math.max(0, size); // a trace may say anything
    }

    /** Notes the bytes from an offset on. */
    public void touch(long offset, long length) {
        long from = Math.max(0, offset);
        long end = Math.min(size, offset + length);
        while (from < end) {
            long stop = Math.min(end, (from | 63) + 1);
            long bits = stop - from == 64 ? -1 : (1L << stop - from) - 1;
            chunk(from >>> CHUNK_BITS)[(int) (from >>> 6) & WORDS - 1] |= bits << from;
            from = stop;
        }
    }

    private long[] chunk(long index) {
        if (index == 0) {
            if (first == null) {
                first = new long[(int) Math.min(WORDS, (size >>> 6) + 1)];
            }
            return first;
        }
        if (chunks == null) {
            chunks = new LongObjectHashMap<>();
        }
        return chunks.getIfAbsentPut(index, () -> new long[WORDS]);
    }

    /** Bytes that were not accessed. */
    public long untouched() {
        long touched = first == null ? 0 : count(first);
        if (chunks != null) {
            for (long[] chunk : chunks) {
                touched += count(chunk);
            }
        }
        return size - touched;
    }

    private static long count(long[] words) {
        long sum = 0;
        for (long word : words) {
            sum += Long.bitCount(word);
        }
        return sum;
    }
}
