package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.TraceEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadNamesTest {
    private final ThreadNames names = new ThreadNames();

    private void name(int thread, String name) {
        ByteBuffer words = ByteBuffer.wrap(
                        Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 2 * Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        names.take(new TraceEvent.ThreadName(thread, 1, words.getLong(), words.getLong(), 0));
    }

    @Test
    void shouldTellTheNewestName() {
        name(4711, "sh");
        name(4711, "worker-3");
        name(4712, "123456789012345");
        name(-1, "mañana, at all");
        assertEquals("worker-3 (4711)", names.label(4711));
        assertEquals("123456789012345", names.of(4712));
        assertEquals("mañana, at all (4294967295)", names.label(-1));
        assertNull(names.of(5));
        assertEquals("5", names.label(5));
        assertTrue(names.any(4711, "sh"::equals));
        assertFalse(names.any(4712, "sh"::equals));
        name(4711, "sh");
        assertEquals("sh", names.of(4711));
    }

    @Test
    void shouldBeReadFromItsText() {
        name(1, "a");
        name(2, "b, c");
        name(1, "d\ne");
        name(-2, "");
        assertEquals("1,a\n1,d?e\n2,b, c\n4294967294,", names.text());
        ThreadNames read = new ThreadNames();
        read.take(names.text());
        assertEquals(names.text(), read.text());
        assertEquals(List.of("d?e (1)", "b, c (2)", "4294967294"), read.labels());
        read.take("no number,x\n,y\nz");
        assertEquals(names.text(), read.text());
    }

    @Test
    void shouldKeepTheNewestOfMany() {
        for (int i = 0; i < 1_000; i++) {
            name(7, "request " + i);
        }
        assertEquals("request 999", names.of(7));
        assertTrue(names.any(7, "request 990"::equals));
        assertFalse(names.any(7, "request 1"::equals));
        assertTrue(names.text().lines().count() < 20);
    }
}
