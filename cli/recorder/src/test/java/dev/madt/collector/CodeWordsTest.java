package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodeWordsTest {
    private final Map<Long, Integer> asked = new HashMap<>();
    private long shift;
    private final CodeWords words = new CodeWords(word -> {
        asked.merge(word, 1, Integer::sum);
        return word - 5 + shift;
    });

    @Test
    void shouldAskForEachOfManyWordsOnce() {
        Random random = new Random(3);
        for (int i = 0; i < 100_003; i++) {
            long word = 0x7f00_0000_0000L + 4L * random.nextInt(5_003) | random.nextLong() << 63;
            assertEquals(word - 5, words.code(word));
        }
        asked.forEach((word, times) -> assertEquals(1, times, Long.toHexString(word)));
    }

    @Test
    void shouldAskAgainAfterForgetting() {
        assertEquals(0x1000, words.code(0x1005));
        shift = 7;
        assertEquals(0x1000, words.code(0x1005));
        words.forget();
        assertEquals(0x1007, words.code(0x1005));
    }

    @Test
    void shouldAskForWordZeroEachTime() {
        assertEquals(-5, words.code(0));
        assertEquals(-5, words.code(0));
        assertEquals(2, asked.get(0L));
    }
}
