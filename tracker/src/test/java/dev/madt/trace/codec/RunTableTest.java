package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertSame;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Run;
import dev.madt.trace.layout.SharedLayout;
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
        Map<Integer, Run> model = new HashMap<>();
        RunTable table = new RunTable();
        for (int i = 0; i < 5_003; i++) {
            int number = SharedLayout.RUN_FIRST_MODULE
                    + (random.nextInt(Integer.MAX_VALUE - 16) >>> random.nextInt(31));
            assertSame(model.get(number), table.get(number), "run " + number);
            Run run = new Run(number, new AccessSite[0]);
            model.put(number, run);
            table.put(run);
        }
        model.forEach((number, run) -> assertSame(run, table.get(number), "run " + number));
    }
}
