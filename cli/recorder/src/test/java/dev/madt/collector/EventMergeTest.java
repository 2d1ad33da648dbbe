package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.buffer.ChunkBuffer;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventMergeTest {
    private final EventMerge merge = new EventMerge(() -> {});

    /**
     * Holds what came out: "e5" for the event with ticket 5, "t1:40" for the record of thread 1
     * with the word 40.
     */
    private static final class Log implements EventMerge.Output {
        private final List<String> all = new ArrayList<>();
        private final int room;

        Log(int room) {
            this.room = room;
        }

        @Override
        public boolean isFull() {
            return all.size() >= room;
        }

        @Override
        public void event(RingEvents events) {
            all.add("e" + events.remove().epoch());
        }

        @Override
        public void records(int thread, RecordSpan span, long limit) throws IOException {
            while (!span.isEmpty() && span.epoch() <= limit && !isFull()) {
                int count = span.template() - 16;
                span.check(count);
                all.add("t" + thread + ":" + span.words().get(span.position() + 1));
                span.skip(count);
            }
        }
    }

    private List<String> emit(long limit) throws IOException {
        return emit(limit, Integer.MAX_VALUE);
    }

    private List<String> emit(long limit, int room) throws IOException {
        Log log = new Log(room);
        merge.emit(limit, log);
        return log.all;
    }

    private void event(long ticket) {
        merge.events().add(TraceEvent.of(RingEventType.FREE, 1, ticket, 0, 0, 0, 0, "", 0));
    }

    private static void record(EventMerge.Source source, long epoch, long word) {
        source.add(span(epoch, SharedLayout.recordHeader(17, epoch), word));
    }

    private static RecordSpan span(long epoch, long... words) {
        return new RecordSpan("buffer", LongBuffer.wrap(words), 0, words.length, epoch);
    }

    @Test
    void shouldPutARecordBehindTheEventsBelowItsEpochAndBeforeTheOneWithIt() throws IOException {
        EventMerge.Source chunk = merge.open(1, 100);
        event(0);
        event(1);
        event(2);
        record(chunk, 0, 40);
        record(chunk, 2, 42);
        record(chunk, 3, 43);
        assertEquals(List.of("t1:40", "e0", "e1", "t1:42", "e2", "t1:43"), emit(10));
    }

    @Test
    void shouldHoldBackWhatLiesBehindTheLimit() throws IOException {
        EventMerge.Source chunk = merge.open(1, 100);
        event(0);
        event(1);
        record(chunk, 1, 41);
        record(chunk, 2, 42);
        assertEquals(List.of("e0", "t1:41"), emit(1));
        assertEquals(List.of("e1", "t1:42"), emit(2));
        assertTrue(merge.isEmpty());
    }

    @Test
    void shouldTakeTheChunkBegunFirstAmongEqualEpochs() throws IOException {
        EventMerge.Source late = merge.open(2, 200);
        EventMerge.Source early = merge.open(1, 100);
        record(late, 5, 52);
        record(early, 5, 51);
        record(early, 5, 53);
        assertEquals(List.of("t1:51", "t1:53", "t2:52"), emit(5));
    }

    @Test
    void shouldMakeALaterChunkOfAThreadWaitForAnEarlierOne() throws IOException {
        EventMerge.Source first = merge.open(1, 100);
        EventMerge.Source second = merge.open(1, 200);
        EventMerge.Source other = merge.open(2, 150);
        record(second, 7, 72);
        record(other, 7, 70);
        assertEquals(List.of("t2:70"), emit(9));
        record(first, 6, 61);
        first.finish();
        assertEquals(List.of("t1:61", "t1:72"), emit(9));
    }

    @Test
    void shouldNotPassOnAHeldChunkNorThoseBehindIt() throws IOException {
        EventMerge.Source first = merge.open(1, 100);
        EventMerge.Source second = merge.open(1, 200);
        record(first, 1, 11);
        record(second, 1, 12);
        first.finish();
        first.hold(true);
        assertEquals(List.of(), emit(9));
        first.hold(false);
        assertEquals(List.of("t1:11", "t1:12"), emit(9));
    }

    @Test
    void shouldKeepRecordsOfOneChunkInTheirOrderThroughTheQueue() throws IOException {
        EventMerge.Source chunk = merge.open(1, 100);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5_003; i++) {
            long header = SharedLayout.recordHeader(17 + i % 3, i / 7);
            chunk.add(span(
                    i / 7,
                    i % 3 == 0
                            ? new long[] {header, i}
                            : i % 3 == 1
                                    ? new long[] {header, i, i}
                                    : new long[] {
                                        header, i, i, i, header, i, i, i, SharedLayout.WORD_NONE
                                    }));
            expected.addAll(Collections.nCopies(i % 3 == 2 ? 2 : 1, "t1:" + i));
        }
        List<String> got = new ArrayList<>(emit(100));
        got.addAll(emit(Long.MAX_VALUE));
        assertEquals(expected, got);
        assertTrue(merge.isEmpty());
    }

    private record Expected(long epoch, long begun, String line) {}

    /**
     * Chunks of a thread, one behind the other, with records of epochs that never fall; all in the
     * order of their epochs, then of their chunks.
     */
    @Test
    void shouldBringManyThreadsAndChunksIntoTheOrderOfEpochsAndChunks() throws IOException {
        Random random = new Random(20261121);
        List<String> expected = many(random);
        List<String> got = new ArrayList<>();
        for (long limit = 0; !merge.isEmpty(); limit += random.nextInt(50)) {
            got.addAll(emit(limit));
        }
        assertEquals(expected, got);
    }

    @Test
    void shouldStopWhereThereIsNoRoomAndGoOnFromThere() throws IOException {
        Random random = new Random(20261122);
        List<String> expected = many(random);
        List<String> got = new ArrayList<>();
        while (!merge.isEmpty()) {
            int room = random.nextInt(4);
            List<String> some = emit(Long.MAX_VALUE, room);
            assertEquals(Math.min(room, expected.size() - got.size()), some.size());
            got.addAll(some);
        }
        assertEquals(expected, got);
    }

    /** Makes events and chunks of several threads; what is to become of them. */
    private List<String> many(Random random) {
        List<Expected> expected = new ArrayList<>();
        for (long ticket = 0; ticket < 997; ticket++) {
            event(ticket);
            expected.add(new Expected(ticket, Long.MAX_VALUE, "e" + ticket));
        }
        for (int thread = 1; thread <= 5; thread++) {
            long epoch = 0;
            for (int number = 0; number < 7; number++) {
                long begun = 1_000L * number + random.nextInt(1_000);
                EventMerge.Source chunk = merge.open(thread, begun);
                for (int i = random.nextInt(200); i > 0; i--) {
                    epoch += random.nextInt(3);
                    record(chunk, epoch, i);
                    expected.add(new Expected(epoch, begun, "t" + thread + ":" + i));
                }
                chunk.finish();
            }
        }
        expected.sort(Comparator.comparingLong(Expected::epoch).thenComparingLong(Expected::begun));
        return expected.stream().map(Expected::line).toList();
    }

    @Test
    void shouldKeepAThreadsOrderWhereALaterChunkBeginsWithAnEarlierEpoch() throws IOException {
        EventMerge.Source first = merge.open(1, 100);
        EventMerge.Source second = merge.open(1, 200);
        record(first, 3, 11);
        first.finish();
        record(second, 2, 12);
        assertEquals(List.of("t1:11", "t1:12"), emit(9));
    }

    @Test
    void shouldGiveAChunkBackBehindAllOfItsRecords() throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect((int) SharedLayout.bufferSize(1))
                .order(ByteOrder.LITTLE_ENDIAN);
        memory.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC)
                .putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
        memory.putInt(SharedLayout.Buffer.CHUNKS, 1)
                .putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
        memory.putInt(SharedLayout.PAGE + SharedLayout.Chunk.FILLED, SharedLayout.CHUNK_LIVE);
        for (int i = SharedLayout.CHUNK_HEADER_WORDS; i < SharedLayout.CHUNK_WORDS; i++) {
            memory.putLong(SharedLayout.PAGE + Long.BYTES * i, SharedLayout.WORD_NONE);
        }
        int first = SharedLayout.PAGE + Long.BYTES * SharedLayout.CHUNK_HEADER_WORDS;
        memory.putLong(first, SharedLayout.recordHeader(17, 1)).putLong(first + Long.BYTES, 11);
        int state = SharedLayout.Buffer.CHUNK + SharedLayout.ChunkState.STATE;
        memory.putInt(state, SharedLayout.BUSY);
        ChunkBuffer buffer = new ChunkBuffer(memory, template -> 1);
        int[] freed = new int[1];
        EventMerge chunks = new EventMerge(() -> freed[0]++);
        EventMerge.Source source = chunks.open(1, 100);
        source.add(buffer.scan(0, false));
        memory.putInt(state, SharedLayout.READY);
        source.add(buffer.take(0)); // nothing is left
        source.finish();
        assertEquals(SharedLayout.READY, buffer.state(0));
        Log log = new Log(Integer.MAX_VALUE);

        chunks.emit(9, log);

        assertEquals(List.of("t1:11"), log.all);
        assertEquals(SharedLayout.FREE, buffer.state(0));
        assertEquals(1, freed[0]);
        assertTrue(chunks.isEmpty());
    }

    @Test
    void shouldGoOnBehindAFaultWithTheOtherChunks() throws IOException {
        EventMerge.Source damaged = merge.open(1, 100);
        EventMerge.Source sound = merge.open(2, 200);
        damaged.add(span(
                1,
                SharedLayout.recordHeader(17, 1),
                11,
                0x2a,
                SharedLayout.recordHeader(17, 1),
                12));
        record(sound, 1, 21);
        Log log = new Log(Integer.MAX_VALUE);
        assertThrows(MalformedBufferException.class, () -> merge.emit(9, log));
        merge.emit(9, log);
        assertEquals(List.of("t1:11", "t2:21"), log.all);
        assertTrue(merge.isEmpty());
    }
}
