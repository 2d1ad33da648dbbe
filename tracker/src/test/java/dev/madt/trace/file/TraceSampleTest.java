package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.RecordingConsumer;
import dev.madt.trace.codec.SampleTrace;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RingEventType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSampleTest {
    private static final int FRAMES = 29;
    private static final int PIECES = 7;
    private static final String ACCESS = "\\d+ 1 L .*";
    private static final AccessSite[] ONE = {SampleTrace.LOAD};

    @TempDir
    Path directory;

    private Path trace(int accesses, boolean allocating) throws IOException {
        return trace(frame -> accesses, allocating);
    }

    /** Frames of so many accesses, to addresses that tell the frame; each defines a symbol. */
    private Path trace(IntUnaryOperator accesses, boolean allocating) throws IOException {
        Path file = directory.resolve("t.madt");
        try (TraceWriter writer = new TraceWriter(file, true)) {
            writer.frame(new TemplatesFrame().add(16, ONE).build(1, 1));
            for (int i = 0; i < FRAMES; i++) {
                writer.frame(new SymbolsFrame()
                        .add(false, 0x40_0000 + 64 * i, 64, "symbol" + i)
                        .build(1, 0));
                EventsFrame events = new EventsFrame().define(16, ONE);
                if (allocating || i == 0) {
                    events.event(
                            SampleTrace.ring(RingEventType.MALLOC, 0x5000 + 16 * i, 8, 0, 0x99));
                }
                for (int j = 0; j < accesses.applyAsInt(i); j++) {
                    events.thread(1).record(16, 1, new long[] {0x40_0000 + 64 * i + j % 64}, 0, 1);
                }
                writer.frame(events.build(1));
            }
        }
        return file;
    }

    private static boolean read(Path file, RecordingConsumer consumer) throws IOException {
        return TraceSample.read(file, TraceEnds.read(file).index(), PIECES, 1, consumer);
    }

    private static long symbols(RecordingConsumer consumer) {
        return count(consumer, "symbol .*");
    }

    private static long count(RecordingConsumer consumer, String what) {
        return consumer.calls().stream().filter(call -> call.matches(what)).count();
    }

    @Test
    void shouldGivePlacesThatLieEvenly() throws IOException {
        RecordingConsumer consumer = new RecordingConsumer();
        assertTrue(read(trace(3, false), consumer));
        assertEquals(FRAMES, symbols(consumer));
        List<String> accesses =
                consumer.calls().stream().filter(call -> call.matches(ACCESS)).toList();
        assertEquals(3 * PIECES, accesses.size(), accesses.toString());
        for (int i = 0; i < PIECES; i++) {
            int place = ((2 * i + 1) * 3 * FRAMES / PIECES - 1) / 2;
            int frame = place / 3;
            String address = Integer.toHexString(0x40_0000 + 64 * frame);
            assertEquals(3 * frame + " 1 L 401000 " + address, accesses.get(3 * i));
        }
    }

    /** As of a program that works long, and then shortly in many threads. */
    @Test
    void shouldGiveAsMuchOfAFrameAsItHasAccesses() throws IOException {
        RecordingConsumer consumer = new RecordingConsumer();
        Path file = trace(frame -> frame == 4 ? 60_000 : frame == 20 ? 20_000 : 10, false);
        TraceSample.read(file, TraceEnds.read(file).index(), 40, 500, consumer);
        long large = count(consumer, "\\d+ 1 L 401000 4001.*");
        long small = count(consumer, "\\d+ 1 L 401000 4005.*");
        assertEquals(count(consumer, ACCESS), large + small, 20);
        assertEquals(3, (double) large / small, 0.2);
        assertTrue(large > 15_000 && large < 20_000, "" + large);
    }

    @Test
    void shouldFollowAllocationsBetweenThem() throws IOException {
        RecordingConsumer consumer = new RecordingConsumer();
        assertTrue(read(trace(3, true), consumer));
        assertEquals(FRAMES, count(consumer, "ring .*"));
        assertEquals(3 * PIECES, count(consumer, ACCESS));
    }

    @Test
    void shouldSayWhenThatWouldBeTooMuchWork() throws IOException {
        RecordingConsumer consumer = new RecordingConsumer();
        assertFalse(read(trace(40_009, true), consumer));
        assertTrue(count(consumer, "ring .*") < FRAMES);
        assertEquals(FRAMES, symbols(consumer));
    }
}
