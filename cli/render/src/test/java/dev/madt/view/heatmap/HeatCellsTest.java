package dev.madt.view.heatmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeatCellsTest {
    private record Key(int page, int name, int thread, long slice) {}

    @ParameterizedTest
    @CsvSource({"1, 1000000, 50", "2, 1000000, 5000", "3, 1000, 300", "4, 700, 3", "5, 5000, 1000"})
    void shouldCountAsAMapDoes(long seed, int wanted, int pages) {
        Random random = new Random(seed);
        HeatCells cells = new HeatCells(wanted);
        int accesses = 30_011;
        int[][] made = new int[accesses][];
        for (int time = 0; time < accesses; time++) {
            made[time] = new int[] {
                random.nextInt(pages), random.nextInt(7), random.nextInt(3), random.nextInt(4)
            };
            if (made[time][3] < 2) {
                cells.count(made[time][0], made[time][1], made[time][2], time, made[time][3] == 1);
            } else {
                cells.countBlock(
                        made[time][0], made[time][1], made[time][2], time, made[time][3] == 3);
            }
        }
        Map<Key, long[]> model = new HashMap<>();
        for (int time = 0; time < accesses; time++) {
            int[] access = made[time];
            Key key = new Key(access[0], access[1], access[2], time / cells.slice());
            model.computeIfAbsent(key, absent -> new long[4])[access[3]]++;
        }
        assertTrue((accesses - 1) / cells.slice() < HeatCells.MOST_SLICES);
        assertEquals(model.size(), cells.size());
        cells.each((page, name, thread, slice, loads, stores, reads, writes) -> assertEquals(
                Arrays.toString(model.remove(new Key(page, name, thread, slice))),
                Arrays.toString(new long[] {loads, stores, reads, writes})));
        assertEquals(Map.of(), model);
    }

    @ParameterizedTest
    @CsvSource({"16777215, 1048575, 1023", "0, 0, 0", "8388608, 524288, 512"})
    void shouldKeepIndexesUpToTheirLimits(int page, int name, int thread) {
        HeatCells cells = new HeatCells(10);
        cells.count(page, name, thread, 127, true);
        int[] seen = new int[1];
        cells.each((p, n, t, slice, loads, stores, reads, writes) -> {
            assertEquals(
                    page + " " + name + " " + thread + " 127 0 1 0 0",
                    p + " " + n + " " + t + " " + slice + " " + loads + " " + stores + " " + reads
                            + " " + writes);
            seen[0]++;
        });
        assertEquals(1, seen[0]);
    }
}
