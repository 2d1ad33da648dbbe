package dev.madt.tracker;

import static dev.madt.trace.event.RingEventType.FREE;
import static dev.madt.trace.event.RingEventType.GO_ALLOC;
import static dev.madt.trace.event.RingEventType.MALLOC;
import static dev.madt.trace.event.RingEventType.MMAP;
import static dev.madt.trace.event.RingEventType.MUNMAP;
import static dev.madt.trace.event.RingEventType.NAMED_ALLOC;
import static dev.madt.trace.event.RingEventType.NAMED_FREE;
import static dev.madt.trace.event.RingEventType.NAMED_REALLOC_BEGIN;
import static dev.madt.trace.event.RingEventType.NAMED_REALLOC_END;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import org.junit.jupiter.api.Test;

class NestedBlocksTest {
    private final BlockTracker tracker = new BlockTracker();
    private long epoch = 100;

    private AllocationEvent apply(RingEventType type, long address, long size, long old) {
        return tracker.apply(TraceEvent.of(
                type, 1, epoch++, address, size, old, type == MUNMAP ? 4096 : 0, "", 0x401000));
    }

    /** The number of the block at an address, with - if it has ended; 0: there is none. */
    private long at(long address) {
        Block block = tracker.find(address);
        tracker.checkInvariants();
        return block == null ? 0 : block.live() ? block.number() : -block.number();
    }

    @Test
    void shouldGiveAnAddressToTheInnermostBlock() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        apply(NAMED_ALLOC, 0x1040, 320, 0);
        apply(NAMED_ALLOC, 0x1050, 16, 0);

        assertEquals(2, at(0x101f));
        assertEquals(1, at(0x1020));
        assertEquals(3, at(0x104f));
        assertEquals(4, at(0x1050));
        assertEquals(3, at(0x1060));
        AddressRange same = new AddressRange();
        assertEquals(3, tracker.find(0x1048, same).number());
        assertEquals(0x1040, same.start());
        assertEquals(0x1050, same.end());
    }

    @Test
    void shouldEndWhatAnAllocatorEnds() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        AllocationEvent freed = apply(NAMED_FREE, 0, 0, 0x1000);

        assertEquals(2, freed.old().number());
        assertFalse(freed.doubleFree());
        assertEquals(-2, at(0x1010));
        assertEquals(1, at(0x1020));
        assertTrue(apply(NAMED_FREE, 0, 0, 0x1000).doubleFree());
        apply(NAMED_ALLOC, 0x1000, 48, 0);
        assertEquals(3, at(0x1010));
    }

    @Test
    void shouldEndBlocksWithTheOneThatTheyLieIn() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        apply(NAMED_ALLOC, 0x1100, 256, 0);
        apply(NAMED_ALLOC, 0x1110, 16, 0);
        apply(NAMED_FREE, 0, 0, 0x1100);
        assertEquals(-4, at(0x1110));
        AllocationEvent freed = apply(FREE, 0, 0, 0x1000);
        assertEquals(1, freed.old().number());
        assertEquals(-2, at(0x1008));
        assertFalse(apply(NAMED_FREE, 0, 0, 0x1000).doubleFree());
        apply(MALLOC, 0x1000, 16, 0);
        assertEquals(5, at(0x1008));
        assertEquals(-2, at(0x1018));

        apply(MMAP, 0x10000, 4096, 0);
        apply(NAMED_ALLOC, 0x10010, 16, 0);
        assertEquals(7, at(0x10010));
        apply(MUNMAP, 0, 0, 0x10000);
        assertEquals(-7, at(0x10010));
    }

    @Test
    void shouldFollowChangesThatMoveOrFail() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        apply(NAMED_REALLOC_BEGIN, 0, 0, 0x1000);
        assertEquals(-2, at(0x1008));
        AllocationEvent moved = apply(NAMED_REALLOC_END, 0x1100, 64, 0x1000);
        assertEquals(3, moved.block().number());
        assertEquals(2, moved.old().number());
        assertEquals(3, at(0x1130));

        apply(NAMED_REALLOC_BEGIN, 0, 0, 0x1100);
        AllocationEvent failed = apply(NAMED_REALLOC_END, 0, 640, 0x1100);
        assertNull(failed.block());
        assertTrue(failed.old().live());
        assertEquals(3, at(0x1130));
    }

    @Test
    void shouldTakeBlocksOfHeapsThatAnAllocatorPassesOn() {
        apply(MALLOC, 0x1000, 64, 0);
        apply(NAMED_FREE, 0, 0, 0x1000);
        assertEquals(-1, at(0x1000));
        apply(NAMED_ALLOC, 0x2000, 64, 0);
        apply(FREE, 0, 0, 0x2000);
        assertEquals(-2, at(0x2000));
        assertEquals(0, tracker.nested().unknownEnds());
        assertNull(apply(NAMED_FREE, 0, 0, 0x3000).old());
        assertEquals(1, tracker.nested().unknownEnds());
    }

    @Test
    void shouldKnowWhichBlocksEndWithAPool() {
        apply(NAMED_ALLOC, 0x1000, 16, 0x9000);
        apply(NAMED_ALLOC, 0x1010, 16, 0x9000);
        apply(NAMED_ALLOC, 0x1020, 16, 0x1010);
        apply(NAMED_ALLOC, 0x1030, 16, 0x8000);
        apply(NAMED_FREE, 0, 0, 0x1000);
        apply(NAMED_REALLOC_BEGIN, 0, 0, 0x1010);
        apply(NAMED_REALLOC_END, 0x1100, 32, 0x1010);

        BlockTracker child = tracker.fork();
        assertArrayEquals(new long[] {0x1100, 0x1020}, tracker.nested().takePool(0x9000));
        assertArrayEquals(new long[0], tracker.nested().takePool(0x9000));
        assertArrayEquals(new long[] {0x1100, 0x1020}, child.nested().takePool(0x9000));
    }

    private long[] takeCutFrom(RingEventType type, long old, long oldSize) {
        TraceEvent event = TraceEvent.of(type, 1, epoch, 0, 0, old, oldSize, "", 0x401000);
        return tracker.nested().takeCutFrom((TraceEvent.Allocation) event, tracker.heap());
    }

    @Test
    void shouldKnowWhichBlocksEndWithTheOneThatTheyWereCutFrom() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        apply(NAMED_ALLOC, 0x1020, 256, 0x1000);
        apply(NAMED_ALLOC, 0x1030, 16, 0x1020);
        apply(NAMED_ALLOC, 0x5000, 16, 0x1020);
        apply(NAMED_ALLOC, 0x1200, 16, 0);
        apply(NAMED_FREE, 0, 0, 0x1200);
        apply(NAMED_ALLOC, 0x2000, 16, 0);

        assertArrayEquals(new long[0], takeCutFrom(FREE, 0x1020, 0));
        assertArrayEquals(
                new long[] {0x1000, 0x1020, 0x1030, 0x5000}, takeCutFrom(FREE, 0x1000, 0));
        assertArrayEquals(new long[0], tracker.nested().takePool(0x1020));
        assertArrayEquals(new long[] {0x2000}, takeCutFrom(MUNMAP, 0x2000, 0x1000));
        apply(FREE, 0, 0, 0x1000);
        assertFalse(apply(NAMED_FREE, 0, 0, 0x1020).doubleFree());
        assertTrue(apply(NAMED_FREE, 0, 0, 0x1020).doubleFree());
    }

    @Test
    void shouldPassBlocksOnToTheChildrenOfAFork() {
        apply(MALLOC, 0x1000, 0x1000, 0);
        apply(NAMED_ALLOC, 0x1000, 32, 0);
        apply(NAMED_ALLOC, 0x1010, 16, 0);
        BlockTracker child = new BlockTracker();
        tracker.inheritance().forEach(child::apply);

        assertEquals(Block.Kind.NAMED, child.find(0x1000).kind());
        assertEquals(2, child.find(0x1008).number());
        assertEquals(3, child.find(0x1018).number());
        assertEquals(1, child.find(0x1020).number());
        BlockTracker shared = tracker.fork();
        apply(NAMED_FREE, 0, 0, 0x1010);
        assertTrue(shared.find(0x1018).live());
    }

    /** Go's collector has ended what lay there, and says nothing. */
    @Test
    void shouldEndGosBlocksWhereOthersCome() {
        apply(GO_ALLOC, 0x1000, 8192, 0);
        apply(GO_ALLOC, 0x3000, 2, 0);
        apply(GO_ALLOC, 0x3002, 2, 0);
        apply(GO_ALLOC, 0x1010, 16, 0);
        assertNull(tracker.find(0x1000));
        assertEquals(4, tracker.find(0x101f).number());
        assertNull(tracker.find(0x1020));
        assertEquals(2, tracker.find(0x3001).number());
        assertEquals(3, tracker.find(0x3002).number());
        apply(GO_ALLOC, 0x1000, 64, 0);
        assertEquals(5, tracker.find(0x1010).number());
        assertEquals(Block.Kind.GO, tracker.find(0x103f).kind());
    }
}
