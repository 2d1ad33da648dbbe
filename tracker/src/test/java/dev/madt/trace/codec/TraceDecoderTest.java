package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceDecoderTest {
    private final RecordingConsumer consumer = new RecordingConsumer();
    private final TraceDecoder decoder = new TraceDecoder(consumer);

    private static Frame frame(FrameType type, long... words) {
        ByteBuffer payload = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            payload.putLong(word);
        }
        return new Frame(type, 1, 2, payload.flip());
    }

    @Test
    void shouldCallTheConsumerForEveryEventInOrder() throws Exception {
        for (Frame frame : SampleTrace.frames()) {
            decoder.frame(frame);
        }
        assertEquals(SampleTrace.calls(), consumer.calls());
        assertEquals(8, decoder.accesses());
        assertEquals(5, decoder.loads());
        assertEquals(3, decoder.stores());
        assertEquals(2, decoder.blocks());
        assertEquals(2, decoder.allocations());
        assertEquals(10, decoder.next());
    }

    @Test
    void shouldNumberCallsAmongAccesses() throws Exception {
        AccessSite[] access = {new AccessSite(0x10, 3, AccessKind.MODIFY, 8, 0, false)};
        AccessSite[] enter = {new AccessSite(0x20, 1, AccessKind.ENTER, 8, 0, false)};
        AccessSite[] leave = {
            new AccessSite(0x30, 1, AccessKind.LEAVE, 8, 0, false),
            new AccessSite(0x30, 1, AccessKind.TIME, 8, 0, false)
        };
        EventsFrame events = new EventsFrame()
                .define(16, access)
                .define(17, enter)
                .define(18, leave)
                .thread(2);
        events.record(17, 0, new long[] {0x7ff8}, 0, 1);
        events.record(16, 0, new long[] {0x100}, 0, 1);
        events.record(17, 0, new long[] {0x7ff0}, 0, 1);
        events.record(18, 0, new long[] {0x7ff0, 99}, 0, 2);
        events.record(18, 0, new long[] {SharedLayout.WORD_NONE, 100}, 0, 2);
        events.record(18, 0, new long[] {0x7ff0, 99}, 0, 2);
        assertEquals(2, events.enters());
        assertEquals(2, events.leaves());
        Frame frame = events.build(1);
        decoder.frame(new TemplatesFrame()
                .add(16, access)
                .add(17, enter)
                .add(18, leave)
                .build(1, 0));
        decoder.frame(frame);
        assertEquals(
                List.of(
                        "0 2 ENTER 20 7ff8 0",
                        "1 2 L 10 100",
                        "2 2 S 10 100",
                        "3 2 ENTER 20 7ff0 0",
                        "4 2 LEAVE 30 7ff0 99",
                        "5 2 LEAVE 30 7ff0 99"),
                consumer.calls());
        assertEquals(4, decoder.calls());
        assertEquals(6, EventCounts.of(frame).numbered());
    }

    @Test
    void shouldTellOfSystemCallsAndCountNothing() throws Exception {
        TraceEvent malloc = SampleTrace.ring(RingEventType.MALLOC, 0x5010, 24, 0, 0x401005);
        Frame frame = new EventsFrame()
                .event(malloc)
                .event(TraceEvent.of(
                        RingEventType.SYSTEM_CALL, 7, 0x9_0000_0003L, 1000, 500, 202, 0, "", 0))
                .event(malloc.at(0x1_0000_0004L))
                .build(1);
        decoder.frame(frame);
        assertEquals(
                List.of(
                        "ring MALLOC 4242 4294967298 5010 24 0 0 401005",
                        "ring SYSTEM_CALL 7 38654705667 3e8 500 ca 0 0",
                        "ring MALLOC 4242 4294967300 5010 24 0 0 401005"),
                consumer.calls());
        assertEquals(0, decoder.next());
        assertEquals(2, decoder.allocations());
    }

    @Test
    void shouldTellTheEndOnce() {
        decoder.end(true);
        decoder.close();
        assertEquals(List.of(true), consumer.ends());
    }

    @Test
    void shouldNotCallATraceCompleteOfWhichNobodySaidSo() {
        decoder.close();
        assertEquals(List.of(false), consumer.ends());
    }

    /**
     * The payload of an EVTS frame: counts of records, words and loads, kinds and codes in
     * {@code bits}, then the other two columns.
     */
    private static Frame events(
            int templates, int words, int loads, String bits, String control, long... residuals) {
        byte[] columns = (bits + control).getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer payload = ByteBuffer.allocate(48 + columns.length + 8 * residuals.length + 8)
                .order(ByteOrder.LITTLE_ENDIAN);
        payload.putInt(templates)
                .putInt(words)
                .putInt(loads)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        payload.putInt(control.length()).putInt(8 * residuals.length);
        payload.putInt(0).putInt(0).putInt(0).putInt(0).put(columns);
        for (long residual : residuals) {
            payload.putLong(residual);
        }
        return new Frame(FrameType.EVENTS, 1, 2, payload.putLong(0).flip());
    }

    @Test
    void shouldNameWhatIsMalformedInEvents() {
        String bits = "\2\u0077"; // a record that control tells, two words of 8 bytes
        String load = "\3\4\2"; // a new record, number 4, two words
        assertMalformed(
                "byte 53 of its payload: its head says EventCounts[loads=3, stores=0, blocks=0,"
                        + " allocations=0], in it are EventCounts[loads=1, stores=0, blocks=0,"
                        + " allocations=0]",
                events(1, 3, 3, bits, load, 2, 4));
        assertMalformed(
                "byte 53 of its payload: the residuals end in a record of 2 words",
                events(1, 3, 1, bits, load, 2));
        assertMalformed(
                "byte 53 of its payload: something is left behind the last record",
                events(1, 3, 1, bits, load, 2, 4, 6));
        assertMalformed(
                "byte 54 of its payload: something is left behind the last record",
                events(1, 4, 1, bits + "\0", load, 2, 4));
        assertMalformed(
                "byte 56 of its payload: template 4 of 2 words, 1 are left",
                events(2, 5, 1, "\12\u0077\0", load + "\2\0", 2, 4));
        assertMalformed("byte 50 of its payload: a record of kind 3", events(1, 3, 1, "\3\0", ""));
        assertMalformed(
                "byte 50 of its payload: the control bytes end in front of a record",
                events(1, 3, 1, bits, ""));
        assertMalformed("byte 51 of its payload: control byte 0x10", events(1, 3, 1, bits, "\20"));
        assertMalformed(
                "byte 50 of its payload: no template is known to follow template -1",
                events(1, 3, 1, "\0\0", ""));
        assertMalformed(
                "byte 50 of its payload: no template is known to follow template -1",
                events(1, 3, 1, "\1\0", ""));
        assertMalformed(
                "byte 51 of its payload: no template is known to follow template -1",
                events(1, 3, 1, bits, "\1"));
        assertMalformed(
                "byte 52 of its payload: template with index 0 of 0",
                events(1, 3, 1, bits, "\2\0"));
        assertMalformed(
                "byte 53 of its payload: template 4 of 4 words", events(1, 3, 1, bits, "\3\4\4"));
        assertMalformed(
                "byte 52 of its payload: the control bytes end in a number",
                events(1, 3, 1, bits, "\3\u0084"));
        assertMalformed(
                "byte 56 of its payload: a number of more than 5 bytes",
                events(1, 3, 1, bits, "\3\u0084\u0084\u0084\u0084\u0084\u0084"));
        assertMalformed(
                "byte 53 of its payload: template 19 in front of it is not defined",
                events(1, 3, 1, "\2\0", "\3\23\2"));
        assertMalformed(
                "byte 53 of its payload: template 0 of 2 words", events(1, 3, 1, "\2\0", "\3\0\2"));
        assertMalformed(
                "byte 48 of its payload: counts in front of it that are not possible",
                events(2, 1, 1, bits, load));
        assertMalformed(
                "byte 48 of its payload: columns of 2, 1 and 0 bytes, and those of ColumnSizes["
                        + "control=1, residuals=0, births=0, ends=0, sizes=0, places=0], in front"
                        + " of it, 10 bytes behind it",
                events(1, 3, 1, "\2", "\3"));
    }

    /**
     * Checks what becomes of what a newer recorder wrote: an event, a built-in record, and records
     * of the program.
     */
    @Test
    void shouldTellOfWhatItDoesNotKnow() throws Exception {
        decoder.frame(ringEvent("\3\0\7", 11));
        decoder.frame(ringEvent("\3\0\3", 60_000));
        decoder.frame(ringEvent("\3\15\2", 7));
        assertEquals(0, decoder.next());
        AccessSite[] sites = {new AccessSite(0x401234, 4, AccessKind.UNKNOWN, 0, 0, false)};
        decoder.frame(new TemplatesFrame().add(18, sites).build(1, 2));
        EventsFrame frame = new EventsFrame().define(18, sites);
        frame.record(18, 3, new long[] {5}, 0, 1);
        frame.record(18, 3, new long[] {SharedLayout.WORD_NONE}, 0, 1);
        frame.record(18, 3, new long[] {6}, 0, 1);
        decoder.frame(frame.build(1));
        assertEquals(
                5,
                consumer.calls().stream()
                        .filter(call -> call.contains("UNKNOWN"))
                        .count());
        assertEquals(5, consumer.calls().size());
        assertEquals(2, decoder.next());
        assertEquals(0, decoder.calls());
    }

    /** Code maps and plans are MadT's own: there a kind that nobody has is a fault. */
    @Test
    void shouldKnowKindsOfNewerRecordersInTracesAlone() {
        assertEquals(AccessKind.UNKNOWN, AccessKind.ofTrace(8));
        assertEquals(AccessKind.VALUE, AccessKind.ofTrace(7));
        assertThrows(IllegalArgumentException.class, () -> AccessKind.ofTrace(0));
        assertThrows(IllegalArgumentException.class, () -> AccessKind.of(99));
    }

    @Test
    void shouldNameWhatIsMalformedInRingEvents() {
        String event = "\3\0\7"; // a new record, number 0, seven words
        assertMalformed(
                "byte 56 of its payload: event MODULE_LOAD, which has no place in a trace",
                ringEvent(event, 16));
        assertMalformed(
                "byte 56 of its payload: ring event with head 0x10001 and 7 words",
                ringEvent(event, 0x10001));
    }

    /** A record whose first word has 8 bytes, and the others none. */
    private static Frame ringEvent(String control, long head) {
        int words = control.charAt(2);
        String bits = "\2\7\0\0\0".substring(0, 1 + (words + 1) / 2);
        return events(1, 1 + words, 0, bits, control, head << 1);
    }

    private void assertMalformed(String message, Frame frame) {
        assertEquals(
                "EVTS frame, " + message,
                assertThrows(TraceFormatException.class, () -> decoder.frame(frame))
                        .getMessage());
    }

    @Test
    void shouldNameWhatIsMalformedElsewhere() {
        assertMalformed(
                "TMPL frame, byte 8 of its payload: template 3 cannot be defined",
                FrameType.TEMPLATES,
                3);
        assertMalformed(
                "TMPL frame, byte 8 of its payload: 1 sites do not fit",
                FrameType.TEMPLATES,
                1L << 32 | 16,
                0);
        assertMalformed(
                "TMPL frame, byte 24 of its payload: site with access kind 0",
                FrameType.TEMPLATES,
                1L << 32 | 16,
                0,
                0);
        assertMalformed(
                "META frame, byte 4 of its payload: string of 4294967295 bytes",
                FrameType.META,
                -1);
        assertMalformed(
                "META frame, byte 4 of its payload: 5 bytes expected, 4 are left",
                FrameType.META,
                5);
        assertMalformed(
                "MAPS frame, byte 32 of its payload: entry with op 2, protection 0, kind 0",
                FrameType.MAPS,
                2,
                0,
                0,
                0);
        assertMalformed(
                "SYMS frame, byte 24 of its payload: entry with op 1, kind 0",
                FrameType.SYMBOLS,
                1,
                0,
                0);
    }

    private void assertMalformed(String message, FrameType type, long... words) {
        assertEquals(
                message,
                assertThrows(TraceFormatException.class, () -> decoder.frame(frame(type, words)))
                        .getMessage());
    }

    @Test
    void shouldThrowNothingElseForGarbage() throws Exception {
        Random random = new Random(3);
        List<Frame> frames = SampleTrace.frames();
        int malformed = 0;
        for (int round = 0; round < 3_001; round++) {
            TraceDecoder garbled = new TraceDecoder(new RecordingConsumer());
            try {
                for (Frame frame : frames) {
                    garbled.frame(flipped(frame, random));
                }
            } catch (TraceFormatException e) {
                malformed++;
            }
        }
        assertTrue(malformed > 1_000, "malformed: " + malformed);
    }

    private static Frame flipped(Frame frame, Random random) {
        byte[] bytes = new byte[frame.payload().remaining()];
        frame.payload().duplicate().get(bytes);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return new Frame(
                frame.type(),
                frame.pid(),
                frame.tid(),
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void shouldRefuseToBuildWhatItCouldNotDecode() throws IOException {
        EventsFrame events = new EventsFrame();
        TraceEvent load = SampleTrace.ring(RingEventType.MODULE_LOAD, 1, 2, 3, 4);

        assertThrows(IllegalArgumentException.class, () -> events.event(load));
        assertThrows(IllegalArgumentException.class, () -> events.record(0, 1, new long[1], 0, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> events.record(SharedLayout.TEMPLATE_RESERVED, 1, new long[1], 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new TemplatesFrame()
                .add(5, new AccessSite[0]));
        assertTrue(events.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> events.record(16, 1, new long[1], 0, 1));
        events.define(16, new AccessSite[] {SampleTrace.LOAD});
        assertThrows(IllegalArgumentException.class, () -> events.record(16, 1, new long[2], 0, 2));
        assertTrue(events.record(16, 1, new long[] {1, 2}, 1, 1));
        assertEquals(1, EventCounts.of(events.build(1, 2)).loads());
        assertTrue(events.isEmpty());
    }
}
