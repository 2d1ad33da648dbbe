package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A block has the stamp of its birth until an event of its own ends it, and that event's from there
 * on.
 */
class BlockStampsTest {
    private static final int EVENTS = 20_011;
    private static final int PAGE = 4096;
    private static final long BASE = 0x7f00_0000_0000L;
    private static final long ENDS = 1L << 30;

    private final BlockTracker tracker = new BlockTracker((start, end) -> {}, new BlockKeeper() {
        @Override
        public long birth(TraceEvent event) {
            return event.epoch();
        }

        @Override
        public long end(TraceEvent.Allocation event) {
            return ENDS + event.epoch();
        }
    });
    private long epoch;

    private void apply(RingEventType type, long address, long size, long old, long oldSize) {
        tracker.apply(TraceEvent.of(type, 1, epoch++, address, size, old, oldSize, "", 0));
    }

    private void step(Random random) {
        long address = BASE + 16L * random.nextInt(8 * PAGE / 16);
        long page = BASE + PAGE * (long) random.nextInt(8);
        long size = 16L * (1 + random.nextInt(600));
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> apply(RingEventType.MALLOC, address, size, 0, 0);
            case 3 -> apply(RingEventType.FREE, 0, 0, old(random), 0);
            case 4 -> apply(RingEventType.MUNMAP, 0, 0, page, PAGE);
            case 5 -> apply(RingEventType.REALLOC_BEGIN, 0, 0, old(random), 0);
            default ->
                apply(
                        RingEventType.REALLOC_END,
                        random.nextBoolean() ? address : 0,
                        size,
                        old(random),
                        0);
        }
    }

    /** Returns where a block begins that is there, or anywhere. */
    private long old(Random random) {
        long anywhere = BASE + 16L * random.nextInt(8 * PAGE / 16);
        return tracker.heap().find(anywhere) ? tracker.heap().address() : anywhere;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldHaveTheStampOfTheEndOnlyOfBlocksThatAnEventHasEnded(long seed) {
        Random random = new Random(seed);
        long ended = 0;
        for (int i = 0; i < EVENTS; i++) {
            step(random);
            BlockTable heap = tracker.heap();
            for (boolean more = heap.first(); more; more = heap.next()) {
                String piece = "event " + i + ", block " + heap.number() + " at "
                        + Long.toHexString(heap.start());
                assertEquals(heap.hasEndStamp(), heap.stamp() >= ENDS, piece);
                ended += heap.hasEndStamp() ? 1 : 0;
            }
        }
        assertTrue(ended > EVENTS, "ended: " + ended);
    }
}
