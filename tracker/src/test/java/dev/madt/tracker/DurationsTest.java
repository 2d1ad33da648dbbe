package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationsTest {
    @Test
    void shouldSayWhatSortingSays() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Durations durations = new Durations();
            List<Long> all = new ArrayList<>();
            int count = 1 + random.nextInt(seed % 2 == 0 ? 5 : 500);
            for (int i = 0; i < count; i++) {
                long value = random.nextLong() >>> 1 + random.nextInt(62);
                all.add(value);
                durations.add(value);
            }
            Collections.sort(all);
            assertEquals(all.get(0), durations.least());
            assertEquals(all.get(count - 1), durations.most());
            long median = all.get((count - 1) / 2);
            assertTrue(durations.percentile(50) >= median, "seed " + seed);
            assertTrue(durations.percentile(50) - median <= median / 32, "seed " + seed);
            long counted = 0;
            for (long classes : durations.classes()) {
                counted += classes;
            }
            assertEquals(count, counted);
        }
    }
}
