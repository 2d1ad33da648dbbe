package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A heritage is what a block tracker tells that has been given the same events. */
class HeritageTest {
    private static final RingEventType[] TYPES = {RingEventType.MALLOC, RingEventType.MALLOC, RingEventType.CALLOC, RingEventType.FREE,
        RingEventType.FREE, RingEventType.MMAP, RingEventType.BREAK, RingEventType.MUNMAP, RingEventType.REALLOC_BEGIN,
        RingEventType.REALLOC_END, RingEventType.MREMAP_BEGIN, RingEventType.MREMAP_END, RingEventType.REGION_MAP,
        RingEventType.THREAD_END, RingEventType.INHERIT};

    /** Any event, also such as no allocator makes: blocks overlap, ends are missed, calls fail, sizes are odd. */
    private static RingEvent anyEvent(Random random, long epoch, List<Long> addresses) {
        RingEventType type = TYPES[random.nextInt(TYPES.length)];
        long page = 0x10_0000 + random.nextInt(12) * 4_096L;
        long place = page + random.nextInt(500) * (random.nextInt(9) == 0 ? 1 : 8);
        boolean mapping = type == RingEventType.MMAP || type == RingEventType.REGION_MAP || random.nextInt(9) == 0;
        long address = random.nextInt(13) == 0 ? 0 : mapping ? page : place;
        long size = random.nextInt(11) == 0 ? 0 : mapping ? random.nextInt(9_000) : random.nextInt(170);
        long known = addresses.isEmpty() || random.nextInt(5) == 0 ? place : addresses.get(random.nextInt(addresses.size()));
        boolean inherits = type == RingEventType.INHERIT;
        long old = inherits ? place : type == RingEventType.MUNMAP ? page : known;
        long oldSize = inherits ? place + 1 + random.nextInt(300) : random.nextInt(3) * 1_999L;
        int thread = inherits ? random.nextInt(5) | random.nextInt(3) << 8 : random.nextInt(3);
        if (address != 0) {
            addresses.add(address);
        }
        return new RingEvent(type, thread, epoch, address, size, old, oldSize, "", 0x401000 + epoch);
    }

    @Test
    void shouldBeThatOfATrackerAfterAnyEvents() {
        compare(100_003, 499, new Random(20261122), 0);
    }

    @Test
    void shouldBeThatOfATrackerWhateverWasInherited() {
        for (int seed = 0; seed < 29; seed++) {
            compare(997, 31, new Random(seed), 300);
        }
    }

    /** Begins, after {@code before} events, anew from what is inherited until then. */
    private static void compare(int events, int every, Random random, int before) {
        BlockTracker tracker = new BlockTracker();
        Heritage heritage = new Heritage();
        List<Long> addresses = new ArrayList<>();
        for (long epoch = 0; epoch < events; epoch++) {
            RingEvent event = anyEvent(random, epoch, addresses);
            tracker.apply(event);
            heritage.apply(event);
            if (epoch % every == 0) {
                assertEquals(tracker.inheritance(), heritage.inheritance(), event::toString);
                heritage.checkInvariants();
            }
            if (epoch + 1 == before) {
                List<RingEvent> blocks = heritage.inheritance();
                assertTrue(blocks.size() > 10, "pieces: " + blocks.size());
                BlockTracker child = new BlockTracker();
                Heritage ofChild = new Heritage();
                blocks.forEach(child::apply);
                blocks.forEach(ofChild::apply);
                tracker = child;
                heritage = ofChild;
            }
            if (addresses.size() > 300) {
                addresses.subList(0, 100).clear();
            }
        }
    }

    /** As allocators do it: blocks of odd sizes come and go in the places that are free, many at a time. */
    @Test
    void shouldBeThatOfATrackerForManyBlocks() {
        Random random = new Random(5);
        BlockTracker tracker = new BlockTracker();
        Heritage heritage = new Heritage();
        long[] live = new long[3_001];
        for (long epoch = 0; epoch < 90_001; epoch++) {
            int slot = random.nextInt(live.length);
            long place = 0x7f00_0000_0000L + slot * 256L + random.nextInt(4) * 16L;
            RingEventType type = live[slot] == 0 ? RingEventType.MALLOC : RingEventType.FREE;
            RingEvent event = new RingEvent(type, 1, epoch, live[slot] == 0 ? place : 0, random.nextInt(193), live[slot], 0, "", 0x401000);
            live[slot] = live[slot] == 0 ? place : 0;
            tracker.apply(event);
            heritage.apply(event);
            if (epoch % 15_013 == 0) {
                assertEquals(tracker.inheritance(), heritage.inheritance());
                heritage.checkInvariants();
            }
        }
        assertTrue(heritage.inheritance().size() > 4_000);
        assertEquals(tracker.inheritance(), heritage.inheritance());
    }
}
