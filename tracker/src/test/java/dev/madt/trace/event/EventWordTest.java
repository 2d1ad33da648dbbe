package dev.madt.trace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventWordTest {
    private static long word(String text) {
        byte[] bytes = java.util.Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), Long.BYTES);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    @Test
    void shouldHaveTheWordsThatAreNamed() {
        assertEquals(
                List.of(
                        new EventWord("lock", EventWord.Type.ADDRESS, 0),
                        new EventWord("held", EventWord.Type.DURATION, 2),
                        new EventWord("code", EventWord.Type.CODE, 4)),
                EventWord.all("lock: address", "", "held: duration", "", "code: code"));
    }

    @Test
    void shouldTellWordsByTheirPlaces() {
        TraceEvent event = new TraceEvent.Allocation(
                RingEventType.MREMAP_END, 7, 8, 0x1000, 2, 0x3000, 4, 0x5000);
        List<EventWord> words = EventWord.all("a: address", "", "c: number", "", "code: code");
        assertEquals(
                List.of(0x1000L, 0x3000L, 0x5000L),
                words.stream().map(word -> word.of(event)).toList());
    }

    @Test
    void shouldShowTextThatIsPlain() {
        assertEquals("", EventWord.text(0));
        assertEquals("worker", EventWord.text(word("worker")));
        assertEquals("ten-char", EventWord.text(word("ten-chars!")));
        assertEquals("a?b??", EventWord.text(word("a\nb\u00e9")));
    }
}
