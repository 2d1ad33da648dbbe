package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks as the encoder's journal leaves them against a tracker that has had every event. */
class BlockJournalTest extends EncoderPair {
    /** Tells one event after the other. */
    private interface Allocator {
        TraceEvent next();
    }

    /**
     * Mallocs and frees in places of 64 bytes, each of which has one block, or two in its halves.
     */
    private static final class Places implements Allocator {
        private final Random random;
        /** By half place: 0 free, 1 the block begins here, 2 it reaches here. */
        private final int[] halves = new int[2_000];

        private long ticket;

        Places(int seed) {
            random = new Random(seed);
        }

        @Override
        public TraceEvent next() {
            int place = random.nextInt(halves.length / 2) * 2;
            int half = place + random.nextInt(2);
            if (halves[half] == 0) {
                boolean whole = halves[place] + halves[place + 1] == 0 && random.nextBoolean();
                halves[whole ? place : half] = 1;
                halves[place + 1] = whole ? 2 : halves[place + 1];
                return event(
                        RingEventType.MALLOC,
                        32L * (whole ? place : half),
                        random.nextInt(whole ? 65 : 33));
            }
            int begin = halves[half] == 2 ? place : half;
            halves[begin] = 0;
            halves[place + 1] = halves[place + 1] == 2 ? 0 : halves[place + 1];
            return event(RingEventType.FREE, 32L * begin, 0);
        }

        private TraceEvent event(RingEventType type, long place, long size) {
            return BlockJournalTest.event(type, ++ticket, 0x5000_0000L + place, size, random);
        }
    }

    /**
     * Mallocs and frees of random sizes in chunks that are split and joined, as a C library's: a
     * chunk has eight bytes more than its block, and is a multiple of the granule.
     */
    private static final class Chunks implements Allocator {
        private static final long BEGIN = 0x5000_0000L;

        private final Random random;
        private final long granule;
        private final int live;
        private final TreeMap<Long, Long> free = new TreeMap<>(Map.of(BEGIN, 1L << 32));
        private final List<long[]> blocks = new ArrayList<>();
        private long ticket;

        Chunks(int seed, int live, long granule) {
            random = new Random(seed);
            this.live = live;
            this.granule = granule;
        }

        @Override
        public TraceEvent next() {
            return blocks.size() < live && random.nextInt(8) > 0 || blocks.isEmpty()
                    ? malloc()
                    : end();
        }

        private TraceEvent malloc() {
            long size = random.nextInt(random.nextInt(20) == 0 ? 100_000 : 4_000);
            long whole = Math.max(2 * granule, (size + 7 + granule) / granule * granule);
            long at = 0;
            for (Map.Entry<Long, Long> chunk : free.entrySet()) {
                if (chunk.getValue() >= whole && random.nextInt(3) > 0) {
                    at = chunk.getKey();
                    break;
                }
            }
            at = at == 0 ? free.lastKey() : at;
            long left = free.remove(at) - whole;
            if (left > 0) {
                free.put(at + whole, left);
            }
            blocks.add(new long[] {at, whole});
            return event(RingEventType.MALLOC, at, size);
        }

        private TraceEvent end() {
            int place = random.nextInt(blocks.size());
            long[] chunk = blocks.set(place, blocks.get(blocks.size() - 1));
            blocks.remove(blocks.size() - 1);
            long at = chunk[0];
            long size = chunk[1];
            Map.Entry<Long, Long> before = free.floorEntry(at);
            if (before != null && before.getKey() + before.getValue() == at) {
                at = before.getKey();
                size += before.getValue();
            }
            Long behind = free.remove(chunk[0] + chunk[1]);
            free.put(at, size + (behind == null ? 0 : behind));
            return event(RingEventType.FREE, chunk[0], 0);
        }

        private TraceEvent event(RingEventType type, long address, long size) {
            return BlockJournalTest.event(type, ++ticket, address, size, random);
        }
    }

    private static TraceEvent event(
            RingEventType type, long ticket, long address, long size, Random random) {
        boolean ends = type == RingEventType.FREE;
        return TraceEvent.of(
                type,
                7,
                ticket,
                ends ? 0 : address,
                size,
                ends ? address : 0,
                0,
                "",
                0x401000 + 5 * random.nextInt(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 3_000, 70_000})
    void shouldNoteWhatBecomesOfPlaces(int rarely) {
        int applied = applied(rarely, new Places(rarely));
        assertTrue(rarely < 70_000 || applied < 100_000, applied + " of 200000 were not cancelled");
    }

    @ParameterizedTest
    @CsvSource({"70000, 500, 16", "20000, 500, 8"})
    @SoakCases({"300, 500, 16", "70000, 5000, 16"})
    void shouldNoteWhatBecomesOfChunks(int rarely, int live, long granule) {
        int applied = applied(rarely, new Chunks(rarely + live, live, granule));
        assertTrue(rarely < 70_000 || applied < 100_000, applied + " of 200000 were not cancelled");
    }

    /** Compares the blocks now and then; returns how many entries the journal has had then. */
    private int applied(int rarely, Allocator allocator) {
        Random random = new Random(rarely);
        RingEvents events = new RingEvents();
        BlockTracker every = new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING);
        BlockTracker noted = new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING);
        encoder.follow(true);
        int[] applied = {0};
        for (int i = 0; i < 200_000; i++) {
            TraceEvent event = allocator.next();
            events.add(event);
            every.follow(TraceEvent.of(
                    event.type(),
                    event.thread(),
                    event.epoch(),
                    event.word(0),
                    event.word(1),
                    event.word(2),
                    0,
                    "",
                    inTrace(event.code())));
            while (!events.isEmpty()) {
                merge(events, null, 0, Long.MAX_VALUE);
                if (!events.isEmpty() || random.nextInt(rarely) == 0) {
                    encoder.journal((each, blocks) -> {
                        applied[0]++;
                        noted.blocks(each.type() == RingEventType.FREE ? blocks : blocks - 1);
                        noted.follow(each);
                    });
                    assertTrue(
                            every.inheritance().equals(noted.inheritance()),
                            "different blocks after " + i + " events");
                    assertEquals(every.blocks(), encoder.blocks());
                }
            }
            if (fast.isFull()) {
                fast.build(1, 1);
            }
        }
        return applied[0];
    }

    private TraceEvent ended(long ticket, long block, long within) {
        return TraceEvent.of(
                RingEventType.FREE_AMONG, 7, ticket, 0, within, block, 3, "", 0x401005);
    }

    /** Frees where allocators by other names are followed are ordinary ones, but for these few. */
    @Test
    void shouldLeaveOnlyThoseFreesThatMoreMayEndWith() {
        RingEvents events = new RingEvents();
        encoder.follow(true);
        encoder.cut(0x5020, true);
        encoder.cut(0x5030, true);
        encoder.cut(0x5030, false);
        for (int i = 0; i < 8; i++) {
            events.add(event(RingEventType.MALLOC, i + 1, 0x5000 + 16 * i, 16, new Random(i)));
        }
        for (int i = 0; i < 8; i++) {
            events.add(ended(i + 9, 0x5000 + 16 * i, i == 5 ? 1 : 0));
        }
        List<Long> left = new ArrayList<>();
        while (!events.isEmpty()) {
            switch (encoder.merge(events, null, 0, Long.MAX_VALUE)) {
                case CODE ->
                    encoder.code(
                            events.code(),
                            inTrace(events.code()),
                            events.type() == RingEventType.MALLOC);
                case EVENT -> left.add(((TraceEvent.FreeAmong) events.remove()).old());
                default -> assertTrue(events.isEmpty(), "" + events.count());
            }
        }
        assertEquals(List.of(0x5020L, 0x5050L), left);
        assertEquals(6, encoder.allocations(RingEventType.FREE));
        List<TraceEvent> alive = new ArrayList<>();
        encoder.journal((event, blocks) -> {
            if (event.type() == RingEventType.FREE) {
                alive.removeIf(block -> block.word(0) == event.word(2));
            } else {
                alive.add(event);
            }
        });
        assertEquals(
                List.of(0x5020L, 0x5050L),
                alive.stream().map(block -> block.word(0)).toList());
    }

    /** As many blocks come as go: what is kept of them does not grow. */
    @Test
    void shouldForgetWhichBlocksOthersWereCutFrom() {
        RingEvents events = new RingEvents();
        encoder.follow(true);
        for (int i = 0; i < 100_000; i++) {
            encoder.cut(16L * i, true);
            encoder.cut(16L * (i - 1_000), false);
        }
        for (int i = 1; i < 100_000; i++) {
            events.add(ended(i, 16L * i, 0));
        }
        int left = 0;
        while (!events.isEmpty()) {
            switch (encoder.merge(events, null, 0, Long.MAX_VALUE)) {
                case CODE -> encoder.code(events.code(), inTrace(events.code()), false);
                case JOURNAL -> encoder.journal((event, blocks) -> {});
                case EVENT -> {
                    events.remove();
                    left++;
                }
                default -> fast.build(1, 1);
            }
        }
        assertEquals(1_000, left);
    }
}
