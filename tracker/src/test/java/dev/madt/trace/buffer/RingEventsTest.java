package dev.madt.trace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingEventsTest {
    private final RingEvents events = new RingEvents();

    private static TraceEvent event(Random random, long epoch) {
        RingEventType[] types = RingEventType.values();
        return TraceEvent.of(
                types[1 + random.nextInt(types.length - 1)], // but for UNKNOWN
                random.nextInt(),
                epoch,
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextInt(3) == 0 ? "name" + epoch : "",
                random.nextLong());
    }

    @Test
    void shouldGiveEventsInTheirOrderHoweverManyWait() {
        Random random = new Random(11);
        Deque<TraceEvent> model = new ArrayDeque<>();
        int most = 0;
        for (long epoch = 0; epoch < 50_021; epoch++) {
            boolean filling = (epoch / 5_003 & 1) == 0;
            if (model.isEmpty() || random.nextInt(10) < (filling ? 7 : 3)) {
                TraceEvent event = event(random, epoch);
                events.add(event);
                model.add(event);
            } else {
                assertEquals(model.element().type(), events.type());
                assertEquals(model.element().epoch(), events.epoch());
                assertEquals(model.element().code(), events.code());
                assertEquals(model.remove(), events.remove());
            }
            most = Math.max(most, model.size());
        }
        assertTrue(most > 1_024, "waited at once: " + most);
        while (!model.isEmpty()) {
            assertEquals(model.remove(), events.remove());
        }
        assertTrue(events.isEmpty());
    }

    @Test
    void shouldGiveAnEventWithAnotherCodeWord() {
        events.add(TraceEvent.of(RingEventType.FREE, -7, 5, 0, 0, 0x1000, 0, "", 0x401005));
        assertEquals(
                TraceEvent.of(RingEventType.FREE, -7, 5, 0, 0, 0x1000, 0, "", 0x401000),
                events.remove(0x401000));
    }
}
