package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunTableTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldHoldRunsOfAnyNumberAsAMapDoes(long seed) {
        Random random = new Random(seed);
        Map<Integer, Site[]> model = new HashMap<>();
        RunTable table = new RunTable();
        for (int i = 0; i < 5_003; i++) {
            int run = SharedLayout.RUN_FIRST_MODULE + (random.nextInt(Integer.MAX_VALUE - 16) >>> random.nextInt(31));
            assertSame(model.get(run), table.get(run), "run " + run);
            Site[] sites = new Site[random.nextInt(3)];
            model.put(run, sites);
            table.put(run, sites);
        }
        model.forEach((run, sites) -> assertSame(sites, table.get(run), "run " + run));
    }
}
