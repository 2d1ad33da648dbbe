package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineSlotsTest {
    /** Lines beside each other, pages apart, and anywhere. */
    @ParameterizedTest
    @CsvSource({"1, 1, 3001", "2, 64, 3001", "3, 4099, 997", "4, 7777777777, 5003"})
    void shouldHoldWhatAMapHolds(long seed, long apart, int lines) {
        Random random = new Random(seed);
        LineSlots slots = new LineSlots();
        Map<Long, Integer> model = new HashMap<>();
        for (int i = 0; i < 60_013; i++) {
            long line = apart * random.nextInt(lines);
            if (random.nextInt(3) == 0) {
                slots.remove(line);
                model.remove(line);
            } else {
                Integer before = model.put(line, i);
                assertEquals(before == null ? -1 : before, slots.put(line, i), "step " + i);
            }
            assertEquals(model.size(), slots.size());
        }
    }
}
