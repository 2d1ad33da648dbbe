package dev.madt.view.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.api.tuple.primitive.LongLongPair;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;

/**
 * Says how the accesses of a row lie in memory and time. A stride is the distance in bytes from an
 * instruction's access to its next one, both in this row. A reuse distance is the number of other
 * cache lines accessed since the line was; see {@link ReuseDistance}.
 */
final class Pattern {
    private static final int MOST_STRIDES = 4096;
    private static final int SHOWN = 5;
    private static final int CLASSES = 64;

    private final LongLongHashMap strides = new LongLongHashMap();
    private final long[] reuse = new long[CLASSES];
    private long otherStrides;
    private long farReuse;

    void stride(long bytes) {
        if (strides.size() < MOST_STRIDES || strides.containsKey(bytes)) {
            strides.addToValue(bytes, 1);
        } else {
            otherStrides++;
        }
    }

    /** @param distance negative: first use, or too far back to be known */
    void reuse(long distance) {
        if (distance < 0) {
            farReuse++;
        } else {
            reuse[CLASSES - Long.numberOfLeadingZeros(distance)]++;
        }
    }

    /** The most frequent strides with their counts, then the sum of the others. */
    Map<String, Long> strides() {
        List<LongLongPair> all = new ArrayList<>(strides.keyValuesView().toList());
        all.sort(Comparator.comparing((LongLongPair pair) -> -pair.getTwo())
                .thenComparing(LongLongPair::getOne));
        Map<String, Long> shown = new LinkedHashMap<>();
        long rest = otherStrides;
        for (LongLongPair pair : all) {
            if (shown.size() < SHOWN) {
                shown.put(signed(pair.getOne()), pair.getTwo());
            } else {
                rest += pair.getTwo();
            }
        }
        if (rest > 0) {
            shown.put("other", rest);
        }
        return shown;
    }

    private static String signed(long stride) {
        return stride > 0 ? "+" + stride : Long.toString(stride);
    }

    /**
     * Counts by powers of two: {@code 0}, {@code 1}, {@code 2-3}, {@code 4-7} …, then
     * {@code first}.
     */
    Map<String, Long> reuse() {
        Map<String, Long> shown = new LinkedHashMap<>();
        for (int i = 0; i < CLASSES; i++) {
            if (reuse[i] > 0) {
                shown.put(range(i), reuse[i]);
            }
        }
        if (farReuse > 0) {
            shown.put("first", farReuse);
        }
        return shown;
    }

    private static String range(int bits) {
        long from = bits == 0 ? 0 : 1L << bits - 1;
        return bits < 2 ? Long.toString(from) : from + "-" + (2 * from - 1);
    }
}
