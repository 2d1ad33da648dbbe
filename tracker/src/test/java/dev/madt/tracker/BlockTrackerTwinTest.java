package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A tracker tells what the plain one tells that has been given the same events. */
class BlockTrackerTwinTest {
    private static final RingEventType[] TYPES = {
        RingEventType.MALLOC,
        RingEventType.MALLOC,
        RingEventType.CALLOC,
        RingEventType.FREE,
        RingEventType.FREE,
        RingEventType.MMAP,
        RingEventType.BREAK,
        RingEventType.MUNMAP,
        RingEventType.REALLOC_BEGIN,
        RingEventType.REALLOC_END,
        RingEventType.MREMAP_BEGIN,
        RingEventType.MREMAP_END,
        RingEventType.REGION_MAP,
        RingEventType.THREAD_END,
        RingEventType.INHERIT,
        RingEventType.USABLE
    };

    /**
     * Any event, also such as no allocator makes: blocks overlap, ends are missed, calls fail,
     * sizes are odd.
     */
    private static TraceEvent anyEvent(Random random, long epoch, List<Long> addresses) {
        RingEventType type = TYPES[random.nextInt(TYPES.length)];
        long page = 0x10_0000 + random.nextInt(12) * 4_096L;
        long place = page + random.nextInt(500) * (random.nextInt(9) == 0 ? 1 : 8);
        boolean mapping = type == RingEventType.MMAP
                || type == RingEventType.REGION_MAP
                || random.nextInt(9) == 0;
        long any = random.nextInt(13) == 0 ? 0 : mapping ? page : place;
        long size =
                random.nextInt(11) == 0 ? 0 : mapping ? random.nextInt(9_000) : random.nextInt(170);
        long known = addresses.isEmpty() || random.nextInt(5) == 0
                ? place
                : addresses.get(random.nextInt(addresses.size()));
        long address = type == RingEventType.USABLE ? known : any;
        boolean inherits = type == RingEventType.INHERIT;
        long old = inherits ? place : type == RingEventType.MUNMAP ? page : known;
        long oldSize = inherits ? place + 1 + random.nextInt(300) : random.nextInt(3) * 1_999L;
        int thread = inherits ? random.nextInt(5) | random.nextInt(3) << 8 : random.nextInt(3);
        if (address != 0) {
            addresses.add(address);
        }
        return TraceEvent.of(
                type, thread, epoch, address, size, old, oldSize, "", 0x401000 + epoch);
    }

    @Test
    void shouldBeThatOfThePlainTrackerAfterAnyEvents() {
        compare(100_003, 499, new Random(20261122), 0);
    }

    @Test
    void shouldBeThatOfThePlainTrackerWhateverWasInherited() {
        for (int seed = 0; seed < 29; seed++) {
            compare(997, 31, new Random(seed), 300);
        }
    }

    /**
     * Without what only the plain tracker remembers: when a block ended that had ended before, and
     * when one was born.
     */
    private static AllocationEvent bare(AllocationEvent line) {
        return line == null
                ? null
                : new AllocationEvent(
                        line.letter(),
                        line.number(),
                        bare(line.block(), line.epoch()),
                        bare(line.old(), line.epoch()),
                        line.address(),
                        line.size(),
                        line.oldAddress(),
                        line.oldSize(),
                        line.code(),
                        line.epoch());
    }

    private static Block bare(Block block, long now) {
        return block == null
                ? null
                : new Block(
                        block.kind(),
                        block.number(),
                        block.code(),
                        block.address(),
                        block.size(),
                        block.life(),
                        0,
                        block.live() ? -1 : block.death() == now ? now : 0);
    }

    /** In any order. */
    private static Set<TraceEvent> pieces(List<TraceEvent> events) {
        Set<TraceEvent> pieces = new HashSet<>(events);
        assertEquals(events.size(), pieces.size());
        return pieces;
    }

    /** A tracker and its plain twin. */
    private record Twins(PlainBlockTracker plain, BlockTracker tested) {
        private void apply(TraceEvent event) {
            assertEquals(bare(plain.apply(event)), bare(tested.apply(event)), event::toString);
        }

        private void compare() {
            assertEquals(pieces(plain.inheritance()), pieces(tested.inheritance()));
            tested.checkInvariants();
        }

        private Twins fork() {
            Twins child = new Twins(new PlainBlockTracker(), tested.fork());
            List<TraceEvent> blocks = new ArrayList<>();
            child.tested.inherited(blocks::add);
            assertTrue(blocks.size() > 10, "pieces: " + blocks.size());
            blocks.forEach(child.plain::apply);
            return child;
        }

        /** Another tracker that has been given what is inherited. */
        private Twins copy() {
            Twins copy = new Twins(new PlainBlockTracker(), new BlockTracker());
            tested.inheritance().forEach(copy::apply);
            return copy;
        }
    }

    /**
     * After {@code before} events there are a parent, a child and a copy, and what one does must
     * not touch the others.
     */
    private static void compare(int events, int every, Random random, int before) {
        List<Twins> all =
                new ArrayList<>(List.of(new Twins(new PlainBlockTracker(), new BlockTracker())));
        List<Long> addresses = new ArrayList<>();
        for (long epoch = 0; epoch < events; epoch++) {
            TraceEvent event = anyEvent(random, epoch, addresses);
            all.get(random.nextInt(all.size())).apply(event);
            if (epoch % every == 0) {
                all.forEach(Twins::compare);
            }
            if (epoch + 1 == before) {
                all.add(all.get(0).fork());
                all.add(all.get(0).copy());
                all.add(all.get(1).fork());
            }
            if (addresses.size() > 300) {
                addresses.subList(0, 100).clear();
            }
        }
    }

    /**
     * As allocators do it: blocks of odd sizes come and go in the places that are free, many at a
     * time.
     */
    @Test
    void shouldBeThatOfThePlainTrackerForManyBlocks() {
        Random random = new Random(5);
        PlainBlockTracker tracker = new PlainBlockTracker();
        BlockTracker tested = new BlockTracker();
        long[] live = new long[3_001];
        for (long epoch = 0; epoch < 90_001; epoch++) {
            int slot = random.nextInt(live.length);
            long place = 0x7f00_0000_0000L + slot * 256L + random.nextInt(4) * 16L;
            RingEventType type = live[slot] == 0 ? RingEventType.MALLOC : RingEventType.FREE;
            TraceEvent event = TraceEvent.of(
                    type,
                    1,
                    epoch,
                    live[slot] == 0 ? place : 0,
                    random.nextInt(193),
                    live[slot],
                    0,
                    "",
                    0x401000);
            live[slot] = live[slot] == 0 ? place : 0;
            assertEquals(bare(tracker.apply(event)), bare(tested.apply(event)));
            if (epoch % 15_013 == 0) {
                assertEquals(pieces(tracker.inheritance()), pieces(tested.inheritance()));
                tested.checkInvariants();
            }
        }
        assertTrue(tested.inheritance().size() > 4_000);
        assertEquals(pieces(tracker.inheritance()), pieces(tested.inheritance()));
    }
}
