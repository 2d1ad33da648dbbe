package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.kenai.jffi.MemoryIO;
import dev.madt.trace.buffer.EventRing;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventRingTest {
    private final FakeControl control = new FakeControl();

    private final RingEvents events = new RingEvents();

    private TraceEvent poll(EventRing ring) throws MalformedBufferException {
        return events.isEmpty() && ring.take(events) == 0 ? null : events.remove();
    }

    private TraceEvent pollDead(EventRing ring) throws MalformedBufferException {
        return events.isEmpty() && !ring.takeDead(events) ? null : events.remove();
    }

    private EventRing ring() throws MalformedBufferException {
        return ring(control.bytes());
    }

    private static EventRing ring(ByteBuffer control) throws MalformedBufferException {
        return new EventRing(
                control,
                new RingSlots(
                        MemoryIO.getInstance().getDirectBufferAddress(control),
                        at -> control.getInt(at) != 0));
    }

    @Test
    void shouldReadEveryFieldOfAnEvent() throws Exception {
        control.name(7, "/lib/libé.so");
        long ticket = control.take();
        int slot = FakeControl.slot(ticket);
        ByteBuffer bytes = control.bytes();
        bytes.putShort(slot + SharedLayout.Event.TYPE, (short) RingEventType.MODULE_LOAD.code());
        bytes.putShort(slot + SharedLayout.Event.CALLERS, (short) 1);
        bytes.putInt(slot + SharedLayout.Event.THREAD, 4_243);
        bytes.putInt(slot + SharedLayout.Event.NAME, 7);
        for (int i = 0; i < 5; i++) {
            bytes.putLong(slot + SharedLayout.Event.ADDRESS + 8 * i, 0xf000_0000_0000_0001L + i);
        }
        control.publish(ticket);

        TraceEvent event = poll(ring());

        assertEquals(
                TraceEvent.of(
                        RingEventType.MODULE_LOAD,
                        4_243,
                        0,
                        0xf000_0000_0000_0001L,
                        0xf000_0000_0000_0002L,
                        0xf000_0000_0000_0003L,
                        0xf000_0000_0000_0004L,
                        "/lib/libé.so",
                        0xf000_0000_0000_0005L),
                event);
    }

    @Test
    void shouldGiveTheSlotBack() throws Exception {
        EventRing ring = ring();
        control.malloc(1, 0x1000, 24, 0);

        assertEquals(SharedLayout.RING_SLOTS - 1, control.free());
        assertEquals(0, poll(ring).code());
        assertNull(poll(ring));
        assertEquals(SharedLayout.RING_SLOTS, control.free());
        assertEquals(1, ring.read());
        assertEquals(1, ring.written());
        assertEquals(1, ring().read());
    }

    @Test
    void shouldGiveSlotsBackWhileMoreIsThere() throws Exception {
        EventRing ring = ring();
        for (int i = 0; i < 1_009; i++) {
            control.malloc(1, 0x1000 + 32L * i, 24, 0);
        }
        long fewest = control.free();
        long most = 0;
        while (ring.take(events) > 0) {
            long withheld = fewest + ring.read() - control.free();
            assertTrue(withheld >= 0, "slots that are still read are not free");
            most = Math.max(most, withheld);
        }
        for (int i = 0; i < 1_009; i++) {
            assertEquals(0x1000 + 32L * i, events.remove().word(0));
        }

        assertTrue(most < 256, "slots withheld: " + most);
        assertNull(poll(ring));
        assertEquals(SharedLayout.RING_SLOTS, control.free());
        assertEquals(1_009, ring().read());
    }

    /** Types, words and names of all kinds, more of them than the ring has slots. */
    @Test
    void shouldReadWhatWasWritten() throws Exception {
        EventRing ring = ring();
        Random random = new Random(13);
        Deque<TraceEvent> model = new ArrayDeque<>();
        control.name(1, "one");
        control.name(5, "");
        control.name(7, "/lib/libé.so");
        for (int round = 0; ring.read() < 3L * SharedLayout.RING_SLOTS; round++) {
            for (int i = random.nextInt(1_500); i > 0; i--) {
                model.add(write(random));
            }
            while (ring.take(events) > 0) {
                assertTrue(events.count() <= model.size());
            }
            while (!events.isEmpty()) {
                assertEquals(model.remove(), events.remove());
            }
            assertEquals(0, model.size(), "round " + round);
        }
    }

    private TraceEvent write(Random random) {
        RingEventType[] types = RingEventType.values();
        RingEventType type = types[1 + random.nextInt(types.length - 1)]; // but for UNKNOWN
        int name = List.of(0, 0, 0, 1, 5, 7).get(random.nextInt(6));
        long ticket = control.take();
        int slot = FakeControl.slot(ticket);
        ByteBuffer bytes = control.bytes();
        bytes.putShort(slot + SharedLayout.Event.TYPE, (short) type.code());
        bytes.putShort(slot + SharedLayout.Event.CALLERS, (short) random.nextInt(2));
        bytes.putInt(slot + SharedLayout.Event.THREAD, random.nextInt());
        bytes.putInt(slot + SharedLayout.Event.NAME, name);
        for (int i = 0; i < 5; i++) {
            bytes.putLong(slot + SharedLayout.Event.ADDRESS + 8 * i, random.nextLong());
        }
        control.publish(ticket);
        return TraceEvent.of(
                type,
                bytes.getInt(slot + SharedLayout.Event.THREAD),
                ticket,
                bytes.getLong(slot + SharedLayout.Event.ADDRESS),
                bytes.getLong(slot + SharedLayout.Event.SIZE),
                bytes.getLong(slot + SharedLayout.Event.OLD),
                bytes.getLong(slot + SharedLayout.Event.OLD_SIZE),
                name == 1 ? "one" : name == 7 ? "/lib/libé.so" : "",
                bytes.getShort(slot + SharedLayout.Event.CALLERS) == 0
                        ? 0
                        : bytes.getLong(slot + SharedLayout.Event.CALLER));
    }

    @Test
    void shouldStopAtABusySlotWhileTheTargetLives() throws Exception {
        EventRing ring = ring();
        long busy = control.take();
        control.malloc(1, 0x1000, 24, 0);

        assertNull(poll(ring));

        control.bytes().putShort(FakeControl.slot(busy) + SharedLayout.Event.TYPE, (short) 25);
        control.publish(busy);
        assertEquals(RingEventType.THREAD_END, poll(ring).type());
        assertEquals(RingEventType.MALLOC, poll(ring).type());
        assertEquals(0, ring.abandoned());
    }

    @Test
    void shouldPassOverUnfinishedSlotsOfADeadTarget() throws Exception {
        EventRing ring = ring();
        control.take();
        control.malloc(1, 0x1000, 24, 0);
        control.take();
        control.take();
        control.malloc(1, 0x2000, 24, 0);
        control.take();

        assertEquals(0x1000, pollDead(ring).word(0));
        assertEquals(0x2000, pollDead(ring).word(0));
        assertNull(pollDead(ring));
        assertEquals(4, ring.abandoned());
        assertEquals(6, ring.read());
        assertEquals(SharedLayout.RING_SLOTS, control.free());
    }

    /** Writers of a target that was killed waited for memory behind slots: a look is a SIGBUS. */
    @Test
    void shouldNotTouchSlotsOfADeadTargetThatHaveNoMemory() throws Exception {
        List<Long> looked = new ArrayList<>();
        EventRing ring = new EventRing(control.bytes(), new EventRing.Slots() {
            @Override
            public long take(long ticket, LongBuffer rows, int place, int most) {
                looked.add(ticket);
                return 0;
            }

            @Override
            public boolean isWritten(long ticket) {
                return ticket == 0;
            }
        });
        for (int i = 0; i < 3; i++) {
            control.take();
        }

        assertNull(pollDead(ring));

        assertEquals(List.of(0L), looked);
        assertEquals(3, ring.abandoned());
        int marker = FakeControl.slot(2) + SharedLayout.Event.MARKER;
        assertEquals(SharedLayout.BUSY, control.bytes().getInt(marker));
        assertEquals(SharedLayout.RING_SLOTS, control.free());
    }

    @Test
    @Timeout(600)
    void shouldLoseAndReorderNothingWithSeveralWriters() throws Exception {
        EventRing ring = ring();
        int writers = 3;
        int each = 33_331;
        for (int thread = 0; thread < writers; thread++) {
            int number = thread;
            Thread writer = new Thread(() -> write(number, each), "writer " + thread);
            writer.setDaemon(true);
            writer.start();
        }
        long[] seen = new long[writers];
        for (long epoch = 0; epoch < (long) writers * each; ) {
            TraceEvent event = poll(ring);
            if (event == null) {
                Thread.onSpinWait();
                continue;
            }
            assertEquals(epoch++, event.epoch());
            assertEquals(seen[event.thread()]++, event.word(1));
            assertEquals(event.word(0), event.word(1) * 31 + event.thread());
        }
        assertNull(poll(ring));
        assertEquals(SharedLayout.RING_SLOTS, control.free());
    }

    private void write(int thread, int count) {
        for (int i = 0; i < count; i++) {
            while (!control.malloc(thread, i * 31L + thread, i, 0)) {
                Thread.yield();
            }
        }
    }

    @Test
    void shouldNameWhatIsMalformedAndGoOnBehindIt() throws Exception {
        EventRing ring = ring();
        for (int i = 0; i < 5; i++) {
            control.malloc(1, 0x1000 + i, 24, 0);
        }
        ByteBuffer bytes = control.bytes();
        bytes.putShort(FakeControl.slot(0) + SharedLayout.Event.TYPE, (short) 11);
        bytes.putShort(FakeControl.slot(1) + SharedLayout.Event.CALLERS, (short) 9);
        bytes.putInt(FakeControl.slot(2) + SharedLayout.Event.NAME, SharedLayout.NAMES_SIZE);
        bytes.putLong(FakeControl.slot(3) + SharedLayout.Event.TICKET, 77);

        assertMalformed(ring, "control file, byte 266244: unknown event type 11");
        assertMalformed(ring, "control file, byte 266310: 9 callers, at most 1 fit");
        assertMalformed(ring, "control file, byte 266388: name at 262144 of 262144");
        assertMalformed(ring, "control file, byte 266440: ticket 77 where 3 is due");
        assertEquals(0x1004, poll(ring).word(0));
    }

    private void assertMalformed(EventRing ring, String message) {
        assertEquals(
                message,
                assertThrows(MalformedBufferException.class, () -> poll(ring)).getMessage());
    }

    @Test
    void shouldRefuseANameWithoutAnEnd() throws Exception {
        EventRing ring = ring();
        control.malloc(1, 0x1000, 24, 0);
        control.bytes()
                .putInt(FakeControl.slot(0) + SharedLayout.Event.NAME, SharedLayout.NAMES_SIZE - 2);
        control.bytes()
                .putShort(SharedLayout.NAMES_OFFSET + SharedLayout.NAMES_SIZE - 2, (short) 0x4141);

        assertTrue(assertThrows(MalformedBufferException.class, () -> poll(ring))
                .getMessage()
                .endsWith("name without an end"));
    }

    @Test
    void shouldRefuseWhatIsNoControlFile() {
        control.bytes().putInt(SharedLayout.Control.VERSION, 99);
        assertEquals(
                "control file, byte 8: layout version 99, this madt knows "
                        + SharedLayout.LAYOUT_VERSION,
                assertThrows(MalformedBufferException.class, this::ring).getMessage());
        control.bytes().putLong(SharedLayout.Control.MAGIC, 1);
        assertEquals(
                "control file, byte 0: not a control file",
                assertThrows(MalformedBufferException.class, this::ring).getMessage());
        assertEquals(
                "control file, byte 4096: ends here, " + SharedLayout.CONTROL_SIZE
                        + " bytes expected",
                assertThrows(
                                MalformedBufferException.class,
                                () -> ring(ByteBuffer.allocateDirect(4_096)))
                        .getMessage());
    }

    @Test
    void shouldRefuseAnImpossibleWriteTicketOfADeadTarget() throws Exception {
        control.bytes().putLong(SharedLayout.Control.RING_WRITE, 100_003);

        assertEquals(
                "control file, byte 128: ticket 100003 with 0 to be read next",
                assertThrows(MalformedBufferException.class, () -> pollDead(ring()))
                        .getMessage());
    }
}
