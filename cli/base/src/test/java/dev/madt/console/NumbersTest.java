package dev.madt.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void shouldWriteNumbersAsFormatsDo() {
        Random random = new Random(4711);
        for (int i = 0; i < 20_000; i++) {
            long number = random.nextLong() >> random.nextInt(64);
            assertEquals(String.format(Locale.ROOT, "%,d", number), Numbers.grouped(number));
            double percent = 100.0 * random.nextInt(i + 1) / (i + 1);
            assertEquals(String.format(Locale.ROOT, "%.1f %%", percent), Numbers.percent(percent));
        }
    }

    @Test
    void shouldNotCallAShareNothingThatIsSmall() {
        assertEquals("0.0 %", Numbers.share(0));
        assertEquals("less than 0.1 %", Numbers.share(0.0004));
        assertEquals("0.1 %", Numbers.share(0.05));
    }
}
