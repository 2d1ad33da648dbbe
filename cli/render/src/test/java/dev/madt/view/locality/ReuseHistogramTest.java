package dev.madt.view.locality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReuseHistogramTest {
    @Test
    void shouldCountEachDistanceInTheBinThatHoldsIt() {
        Random random = new Random(7);
        for (int i = 0; i < 5_003; i++) {
            int distance = random.nextInt(1 << 1 + random.nextInt(30));
            ReuseHistogram histogram = new ReuseHistogram();
            histogram.add(distance);
            for (int bin = 0; bin < histogram.bins(); bin++) {
                boolean holds = ReuseHistogram.from(bin) <= distance
                        && distance < ReuseHistogram.from(bin + 1);
                assertEquals(holds ? 1 : 0, histogram.count(bin), distance + " in bin " + bin);
            }
        }
    }

    @Test
    void shouldBeginABinAtEachEighthOfAPower() {
        for (int bin = 0; bin < 200; bin++) {
            long from = ReuseHistogram.from(bin);
            long width = ReuseHistogram.from(bin + 1) - from;
            assertTrue(width == 1 || width * 8 == Long.highestOneBit(from), bin + ": " + from);
        }
    }

    @Test
    void shouldTakeFirstReferencesForTheFarthest() {
        ReuseHistogram histogram = new ReuseHistogram();
        for (int distance : new int[] {3, 1, -1, 2, 40, 44, -1, -1, -1, -1}) {
            histogram.add(distance);
        }
        assertEquals(1, histogram.quantile(0.1));
        assertEquals(40, histogram.quantile(0.4));
        assertEquals(44, histogram.quantile(0.5));
        assertNull(histogram.quantile(0.6));
        assertEquals(5, histogram.first());
        assertEquals(Map.of("1", 1L, "2-3", 2L, "32-63", 2L, "first", 5L), histogram.byPowers());
    }

    @Test
    void shouldSettleAtTheLeastDistances() {
        ReuseHistogram histogram = new ReuseHistogram();
        for (int distance : new int[] {0, 10, 10, 20, -1}) {
            histogram.add(distance, 10);
        }
        histogram.settle(67);
        assertEquals(67, histogram.sum());
        assertEquals(27, histogram.count(0));
        histogram.settle(35);
        assertEquals(0, histogram.count(0));
        assertEquals(15, histogram.count(10));
        assertEquals(20, histogram.misses(11));
        histogram.settle(5);
        assertEquals(10, histogram.sum());
    }
}
