package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    @Test
    void shouldNameWhatIsMalformedInEvents() {
        long load = SharedLayout.runHeader(4, 0);
        assertMalformed("EVTS frame, byte 8 of its payload: 0x12 in front of it is no run header", 0x12);
        assertMalformed("EVTS frame, byte 8 of its payload: 0xffffffffffffffff in front of it is no run header", -1);
        assertMalformed("EVTS frame, byte 32 of its payload: run 19 in front of it is not defined",
                load, 1, 2, SharedLayout.runHeader(19, 0));
        assertMalformed("EVTS frame, byte 8 of its payload: 16 bytes expected, 8 are left", load, 1);
        assertMalformed("EVTS frame, byte 16 of its payload: unknown event type 11",
                SharedLayout.runHeader(0, 0), 11, 0, 0, 0, 0, 0, 0);
        assertMalformed("EVTS frame, byte 16 of its payload: event MODULE_LOAD, which has no place in a trace",
                SharedLayout.runHeader(0, 0), 16, 0, 0, 0, 0, 0, 0);
        assertMalformed("EVTS frame, byte 16 of its payload: ring event with head 0x90001",
                SharedLayout.runHeader(0, 0), 0x90001, 0, 0, 0, 0, 0, 0);
    }

    private void assertMalformed(String message, long... words) {
        assertEquals(message, assertThrows(TraceFormatException.class,
                () -> decoder.frame(frame(FrameType.EVENTS, words))).getMessage());
    }

    @Test
    void shouldNameWhatIsMalformedElsewhere() {
        assertMalformed("RUNS frame, byte 8 of its payload: run 3 cannot be defined", FrameType.RUNS, 3);
        assertMalformed("RUNS frame, byte 8 of its payload: 1 sites do not fit", FrameType.RUNS, 1L << 32 | 16, 0);
        assertMalformed("RUNS frame, byte 24 of its payload: site with access kind 0", FrameType.RUNS, 1L << 32 | 16, 0, 0);
        assertMalformed("META frame, byte 4 of its payload: string of 4294967295 bytes", FrameType.META, -1);
        assertMalformed("META frame, byte 4 of its payload: 5 bytes expected, 4 are left", FrameType.META, 5);
        assertMalformed("MAPS frame, byte 32 of its payload: entry with op 2, protection 0, kind 0",
                FrameType.MAPS, 2, 0, 0, 0);
        assertMalformed("SYMS frame, byte 24 of its payload: entry with op 1, kind 0", FrameType.SYMBOLS, 1, 0, 0);
    }

    private void assertMalformed(String message, FrameType type, long... words) {
        assertEquals(message, assertThrows(TraceFormatException.class,
                () -> decoder.frame(frame(type, words))).getMessage());
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
        return new Frame(frame.type(), frame.pid(), frame.tid(), ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void shouldRefuseToBuildWhatItCouldNotDecode() throws IOException {
        EventsFrame events = new EventsFrame();
        RingEvent load = SampleTrace.ring(RingEventType.MODULE_LOAD, 1, 2, 3, 4);

        assertThrows(IllegalArgumentException.class, () -> events.event(load));
        assertThrows(IllegalArgumentException.class, () -> events.run(0, 1, new long[1], 0, 1));
        assertThrows(IllegalArgumentException.class, () -> events.run(SharedLayout.RUN_RESERVED, 1, new long[1], 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new RunsFrame().add(5, new Site[0]));
        assertTrue(events.isEmpty());
        assertEquals(24, events.run(16, 1, new long[] {1, 2}, 0, 2).size());
        events.build(1, 2);
        assertEquals(0, events.size());
    }
}
