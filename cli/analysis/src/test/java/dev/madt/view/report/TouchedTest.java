package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TouchedTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldCountDistinctLinesAndPages(long seed) {
        Random random = new Random(seed);
        TouchedLines touched = new TouchedLines();
        Set<Long> lines = new HashSet<>();
        Set<Long> pages = new HashSet<>();
        for (int i = 0; i < 30_011; i++) {
            long address =
                    (random.nextInt(9) == 0 ? 0x7fff_0000_0000L : 0x5000) + random.nextInt(1 << 19);
            int size = random.nextInt(50) == 0 ? 1 + random.nextInt(9_000) : 1 << random.nextInt(7);
            touched.touch(address, size);
            for (long at = address; at < address + size; at++) {
                lines.add(at / 64);
                pages.add(at / 4096);
            }
            if (i % 9_973 == 0) {
                assertEquals(lines.size(), touched.lines(), "lines after " + i);
            }
        }
        assertEquals(lines.size(), touched.lines());
        assertEquals(pages.size(), touched.pages());
    }

    /** Pages that come close together, spread, and come close together again. */
    @ParameterizedTest
    @ValueSource(longs = {6, 7, 8, 9})
    void shouldCountPagesHoweverTheyLie(long seed) {
        Random random = new Random(seed);
        TouchedLines touched = new TouchedLines();
        Set<Long> lines = new HashSet<>();
        Set<Long> pages = new HashSet<>();
        for (int i = 0; i < 499; i++) {
            long from = random.nextInt(3) == 0
                    ? random.nextInt(1 << 20)
                    : 500_000 + random.nextInt(700);
            long step = random.nextInt(5) - 2;
            for (int j = 0; j < random.nextInt(60); j++) {
                long address = Math.max(0, from + j * step) * 4096 + random.nextInt(4096);
                touched.touch(address, 1);
                lines.add(address / 64);
                pages.add(address / 4096);
                assertEquals(pages.size(), touched.pages(), "pages after " + i + ", " + j);
            }
            assertEquals(lines.size(), touched.lines(), "lines after " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 63, 64, 65, 4_095, 4_097, 70_001})
    void shouldCountUntouchedBytes(long size) {
        Random random = new Random(size);
        TouchedBytes touched = new TouchedBytes(size);
        BitSet model = new BitSet();
        for (int i = 0; i < 301; i++) {
            long offset = random.nextInt((int) size + 40) - 20;
            long length = random.nextInt(5) == 0 ? random.nextInt(5_000) : random.nextInt(9);
            touched.touch(offset, length);
            long end = Math.min(size, offset + length);
            model.set((int) Math.max(0, Math.min(offset, size)), (int)
                    Math.max(Math.max(0, Math.min(offset, size)), end));
            assertEquals(size - model.cardinality(), touched.untouched());
        }
    }
}
