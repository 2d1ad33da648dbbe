package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PagedCellsTest {
    private static final int BITS = 3;
    private static final int STEPS = 20_000;

    private final PagedCells<Integer> cells = new PagedCells<>(BITS);
    private final Map<Long, Integer> expected = new TreeMap<>();

    private void put(long address, Integer value) {
        cells.put(address, value);
        long cell = address & -(1L << BITS);
        if (value == null) {
            expected.remove(cell);
        } else {
            expected.put(cell, value);
        }
    }

    private void forget(long start, long end) {
        cells.forget(start, end);
        expected.keySet().removeIf(cell -> cell + (1L << BITS) > start && cell < end);
    }

    private Map<Long, Integer> found() {
        Map<Long, Integer> all = new TreeMap<>();
        cells.forEach(all::put);
        return all;
    }

    /** Uses some pages in several arenas, more than are at hand, and one at the top. */
    @Test
    void shouldHoldWhatAMapHolds() {
        Random random = new Random(7);
        for (int i = 0; i < STEPS; i++) {
            long arena = (long) random.nextInt(5) << 26;
            long address = random.nextInt(50) == 0
                    ? -1 - random.nextInt(4096)
                    : 0x7f00_0000_0000L + arena + random.nextInt(1 << 20);
            switch (random.nextInt(20)) {
                case 0 -> put(address, null);
                case 1 -> forget(address, address + 1 + random.nextInt(random.nextInt(9) + 1));
                case 2 -> forget(Math.abs(address), Math.abs(address) + random.nextInt(20_000) + 1);
                default -> put(address, i);
            }
            assertEquals(expected.get(address & -(1L << BITS)), cells.get(address));
            if (i % 1000 == 0) {
                assertEquals(expected, found());
            }
        }
        forget(0x7f00_0000_0000L, 0x7f00_0000_0000L + (1L << 27));
        assertEquals(expected, found());
        cells.clear();
        assertEquals(Map.of(), found());
        assertEquals(0, cells.pages());
    }
}
