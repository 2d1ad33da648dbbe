package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IntervalTreeTest {
    private static final int OPERATIONS = 199_999;
    private static final int CHECK_EVERY = 997;

    /** The same map, slow and obviously right. */
    private static final class Model {
        record Interval(long end, Integer value) {}

        private final TreeMap<Long, Interval> intervals = new TreeMap<>(Long::compareUnsigned);

        Integer insert(long start, long end, Integer value) {
            Interval before = intervals.put(start, new Interval(end, value));
            return before == null ? null : before.value();
        }

        Integer remove(long start) {
            Interval before = intervals.remove(start);
            return before == null ? null : before.value();
        }

        Integer find(long point) {
            for (Interval interval :
                    intervals.headMap(point, true).descendingMap().values()) {
                if (Long.compareUnsigned(point, interval.end()) < 0) {
                    return interval.value();
                }
            }
            return null;
        }

        Integer floor(long point) {
            Map.Entry<Long, Interval> entry = intervals.floorEntry(point);
            return entry == null ? null : entry.getValue().value();
        }

        List<Integer> overlapping(long start, long end) {
            List<Integer> found = new ArrayList<>();
            intervals.headMap(end, false).values().forEach(interval -> {
                if (Long.compareUnsigned(start, interval.end()) < 0) {
                    found.add(interval.value());
                }
            });
            return found;
        }
    }

    @Test
    void shouldAgreeWithTheModelOverCrowdedIntervals() {
        compare(new Random(7), 211, 1_000_003, 61);
    }

    @Test
    void shouldAgreeWithTheModelOverNestedIntervals() {
        compare(new Random(11), 97, 0, 401);
    }

    @Test
    void shouldAgreeWithTheModelAcrossTheSignBit() {
        compare(new Random(13), 307, Long.MIN_VALUE - 150, 31);
    }

    @Test
    void shouldAgreeWithTheModelUpToTheLastAddress() {
        compare(new Random(17), 101, -503, 397);
    }

    /** The range around a point is that of one answer, and goes as far as that. */
    private static void same(Model model, IntervalTree<Integer> tree, long point) {
        AddressRange range = new AddressRange();
        Integer found = tree.find(point, range);
        assertEquals(model.find(point), found);
        assertTrue(Long.compareUnsigned(range.start(), point) <= 0
                && Long.compareUnsigned(point, range.end()) < 0);
        long low = range.start() == 0 ? point : range.start();
        long high = range.end() == -1 ? point : range.end() - 1;
        for (long at = low; at != high + 1; at++) {
            assertEquals(found, model.find(at), "at " + at + " around " + point);
        }
        if (range.start() != 0) {
            assertNotEquals(found, model.find(low - 1), "below " + point);
        }
        if (range.end() != -1) {
            assertNotEquals(found, model.find(range.end()), "above " + point);
        }
    }

    /**
     * Random operations on starts from {@code base} up to {@code base + starts}, of lengths up to
     * {@code longest}.
     */
    private static void compare(Random random, int starts, long base, int longest) {
        IntervalTree<Integer> tree = new IntervalTree<>();
        Model model = new Model();
        for (int i = 0; i < OPERATIONS; i++) {
            long start = base + random.nextInt(starts);
            long end = start + 1 + random.nextInt(longest);
            switch (random.nextInt(9)) {
                case 0, 1 -> assertEquals(model.insert(start, end, i), tree.insert(start, end, i));
                case 2, 3 -> assertEquals(model.remove(start), tree.remove(start));
                case 4, 5 -> assertEquals(model.find(start), tree.find(start));
                case 6 -> assertEquals(model.floor(start), tree.floor(start));
                case 7 -> same(model, tree, start);
                default ->
                    assertEquals(model.overlapping(start, end), overlapping(tree, start, end));
            }
            assertEquals(model.intervals.size(), tree.size());
            if (i % CHECK_EVERY == 0) {
                tree.checkInvariants();
            }
        }
    }

    private static List<Integer> overlapping(IntervalTree<Integer> tree, long start, long end) {
        List<Integer> found = new ArrayList<>();
        tree.overlapping(start, end, (from, to, value) -> found.add(value));
        return found;
    }

    @Test
    void shouldStayInOrderWhenFilledUpwardsAndEmptiedDownwards() {
        IntervalTree<Integer> tree = new IntervalTree<>();
        int count = 1_999;
        for (int i = 0; i < count; i++) {
            tree.insert(i * 16L, i * 16L + 15, i);
            tree.checkInvariants();
        }
        for (int i = count - 1; i >= 0; i--) {
            assertNull(tree.find(i * 16L + 15));
            assertEquals(i, tree.find(i * 16L + 14));
            assertEquals(i, tree.remove(i * 16L));
            tree.checkInvariants();
        }
        assertEquals(0, tree.size());
    }

    @Test
    void shouldGiveTheInnermostOfNestedIntervals() {
        IntervalTree<String> tree = new IntervalTree<>();
        tree.insert(100, 200, "outer");
        tree.insert(120, 180, "middle");
        tree.insert(130, 140, "inner");

        assertEquals("inner", tree.find(139));
        assertEquals("middle", tree.find(140));
        assertEquals("outer", tree.find(180));
        assertNull(tree.find(200));
        assertEquals("inner", tree.floor(1_000));
        assertNull(tree.floor(99));
    }

    @Test
    void shouldRefuseEmptyIntervals() {
        IntervalTree<String> tree = new IntervalTree<>();

        assertThrows(IllegalArgumentException.class, () -> tree.insert(5, 5, "empty"));
        assertThrows(IllegalArgumentException.class, () -> tree.insert(-1, 5, "backwards"));
        assertEquals(0, tree.size());
    }
}
