package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PieceLeavesTest {
    private static final int OPERATIONS = 299_993;
    private static final int CHECK_EVERY = 1_009;

    private record Piece(long start, long end, int row) {}

    private final PieceLeaves leaves = new PieceLeaves();
    private final TreeMap<Long, Piece> model = new TreeMap<>(Long::compareUnsigned);
    private int most;

    private Piece floor(long point) {
        Map.Entry<Long, Piece> entry = model.floorEntry(point);
        return entry == null ? null : entry.getValue();
    }

    private int row(long point) {
        Piece floor = floor(point);
        return floor != null && Long.compareUnsigned(point, floor.end()) < 0 ? floor.row() : -1;
    }

    private List<Piece> overlapping(long start, long end) {
        List<Piece> found = new ArrayList<>();
        Long first = model.floorKey(start);
        model.subMap(first == null ? 0 : first, end).values().forEach(interval -> {
            if (Long.compareUnsigned(start, interval.end()) < 0) {
                found.add(interval);
            }
        });
        return found;
    }

    @Test
    void shouldAgreeWithTheModelOverManyLeaves() {
        compare(new Random(7), 60_013, 1_000_003, 7);
        assertTrue(most > 3_000, "pieces: " + most);
    }

    @Test
    void shouldAgreeWithTheModelOverFewPieces() {
        compare(new Random(11), 211, 0, 61);
    }

    @Test
    void shouldAgreeWithTheModelAcrossTheSignBit() {
        compare(new Random(13), 3_001, Long.MIN_VALUE - 1_500, 5);
    }

    @Test
    void shouldAgreeWithTheModelUpToTheLastAddress() {
        compare(new Random(17), 1_901, -1_931, 29);
    }

    private void compare(Random random, int starts, long base, int longest) {
        for (int i = 0; i < OPERATIONS; i++) {
            long start = base + random.nextInt(starts);
            long end = start + 1 + random.nextInt(longest);
            boolean growing = (i / 50_021 & 1) == 0;
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> insert(start, end, i);
                case 3, 4 -> remove(growing ? start : startNear(start), end);
                case 5, 6 -> assertEquals(row(start), leaves.row(start));
                default -> compareOverlapping(start, random.nextInt(5) == 0 ? start : end);
            }
            if (i % CHECK_EVERY == 0) {
                leaves.checkInvariants();
                most = Math.max(most, model.size());
            }
        }
        drain(random);
    }

    private void insert(long start, long end, int row) {
        boolean free = overlapping(start, end).isEmpty();
        assertEquals(free, leaves.isFree(start, end));
        if (free) {
            model.put(start, new Piece(start, end, row));
            leaves.insert(start, end, row);
        }
    }

    private long startNear(long start) {
        Piece floor = floor(start);
        return floor == null ? start : floor.start();
    }

    /** Mostly with the right end. */
    private void remove(long start, long end) {
        Piece there = model.get(start);
        if (there == null || end % 3 == 0 && there.end() != end) {
            assertEquals(-1, leaves.remove(start, end));
        } else {
            model.remove(start);
            assertEquals(there.row(), leaves.remove(start, there.end()));
        }
    }

    private void compareOverlapping(long start, long end) {
        List<Piece> expected = overlapping(start, end);
        assertEquals(expected.isEmpty(), leaves.isFree(start, end));
        if (!expected.isEmpty()) {
            long first = leaves.firstStart(start);
            assertEquals(expected.get(0), new Piece(first, leaves.end(first), leaves.row(first)));
        }
    }

    /** Takes all out in random order: leaves join until one is left. */
    private void drain(Random random) {
        List<Piece> seen = new ArrayList<>();
        leaves.forEach((start, end, row) -> seen.add(new Piece(start, end, row)));
        assertEquals(new ArrayList<>(model.values()), seen);
        Collections.shuffle(seen, random);
        for (int i = 0; i < seen.size(); i++) {
            assertEquals(seen.get(i).row(), leaves.remove(seen.get(i).start(), seen.get(i).end()));
            if (i % 101 == 0) {
                leaves.checkInvariants();
            }
        }
        leaves.checkInvariants();
        assertTrue(leaves.isFree(0, -1));
    }

    @Test
    void shouldKeepWhatComesInAscendingOrder() {
        for (int i = 0; i < 10_007; i++) {
            leaves.insert(i * 32L, i * 32L + 24, i);
        }
        leaves.checkInvariants();
        for (int i = 0; i < 10_007; i++) {
            assertEquals(i, leaves.row(i * 32L + 23));
            assertEquals(-1, leaves.row(i * 32L + 24));
        }
    }

    @Test
    void shouldRefuseAnEmptyRange() {
        assertEquals("range 10 to 10 is empty",
                assertThrows(IllegalArgumentException.class, () -> leaves.insert(16, 16, 1)).getMessage());
    }
}
