package dev.madt.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CallRatesTest {
    private static final int BUSY = SharedLayout.TEMPLATE_FIRST_MODULE;
    private static final int SELDOM = SharedLayout.TEMPLATE_FIRST_MODULE + 1;
    private static final int WORDS = 1024;

    private final CallRates rates = new CallRates();

    /** Two words a record: all of one, but for the first ones, which are of the other. */
    private void look(int seldom, int words) {
        LongBuffer chunk = LongBuffer.allocate(WORDS);
        Arrays.fill(chunk.array(), SharedLayout.WORD_NONE);
        for (int i = 0; i < words; i += 2) {
            long template = i / 2 < seldom ? SELDOM : BUSY;
            chunk.put(i, 1L << 63 | template << 32 | 7).put(i + 1, 0x1234);
        }
        rates.look(new RecordSpan("chunk", chunk, 0, WORDS, 0));
    }

    private Map<Integer, Long> taken() {
        Map<Integer, Long> counts = new TreeMap<>();
        rates.take(counts::put);
        return counts;
    }

    @Test
    void shouldTakeTheRestOfASpanToBeLikeItsBeginning() {
        look(6, WORDS);
        assertEquals(Map.of(BUSY, 500L, SELDOM, 12L), taken());
    }

    @Test
    void shouldCountWhatHasBeenWrittenOnly() {
        look(1, 100);
        assertEquals(Map.of(BUSY, 49L, SELDOM, 1L), taken());
    }

    @Test
    void shouldAddTheIntervalBeforeToWhatCame() {
        look(2, 40);
        taken();
        look(0, 20);
        assertEquals(Map.of(BUSY, 28L), taken(), "one of them did not come");
        look(3, 10);
        assertEquals(Map.of(BUSY, 12L, SELDOM, 3L), taken());
        assertEquals(Map.of(), taken());
    }
}
