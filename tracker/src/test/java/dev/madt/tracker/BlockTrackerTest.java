package dev.madt.tracker;

import static dev.madt.trace.event.RingEventType.BREAK;
import static dev.madt.trace.event.RingEventType.CALLOC;
import static dev.madt.trace.event.RingEventType.FREE;
import static dev.madt.trace.event.RingEventType.MALLOC;
import static dev.madt.trace.event.RingEventType.MMAP;
import static dev.madt.trace.event.RingEventType.MREMAP_BEGIN;
import static dev.madt.trace.event.RingEventType.MREMAP_END;
import static dev.madt.trace.event.RingEventType.MUNMAP;
import static dev.madt.trace.event.RingEventType.REALLOC_BEGIN;
import static dev.madt.trace.event.RingEventType.REALLOC_END;
import static dev.madt.trace.event.RingEventType.REGION_MAP;
import static dev.madt.trace.event.RingEventType.USABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import org.junit.jupiter.api.Test;

class BlockTrackerTest {
    private final BlockTracker tracker = new BlockTracker();
    private long epoch = 100;

    private AllocationEvent apply(
            RingEventType type, int thread, long address, long size, long old, long oldSize) {
        return tracker.apply(TraceEvent.of(
                type, thread, epoch++, address, size, old, oldSize, "", 0x401000 + epoch));
    }

    private AllocationEvent apply(
            RingEventType type, long address, long size, long old, long oldSize) {
        return apply(type, 1, address, size, old, oldSize);
    }

    private String name(Block block) {
        return block == null ? "none" : ForgedName.render(block, "f");
    }

    private String at(long address) {
        return name(tracker.find(address));
    }

    @Test
    void shouldGiveABlockWhatTheProgramWasToldToUse() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        apply(FREE, 0, 0, 0x1000, 0);
        apply(MALLOC, 0x1000, 3000, 0, 0);
        apply(FREE, 0, 0, 0x1000, 0);
        apply(MALLOC, 0x1000, 20, 0, 0);
        apply(MALLOC, 0x1020, 8, 0, 0);
        String block = at(0x1000);
        assertTrue(!block.equals(at(0x1014)), block);
        apply(USABLE, 0x1000, 24, 0, 0);
        apply(USABLE, 0x1010, 100, 0, 0);
        assertEquals(block, at(0x1017));
        assertTrue(!block.equals(at(0x1018)), block);
        assertEquals(20, tracker.find(0x1017).size());
        BlockTracker child = tracker.fork();
        BlockTracker told = new BlockTracker();
        tracker.inheritance().forEach(told::apply);
        assertEquals(block, name(child.find(0x1017)));
        assertEquals(block, name(told.find(0x1017)));
        apply(USABLE, 0x1000, 0x28, 0, 0);
        assertTrue(!block.equals(at(0x1018)), block);
        apply(FREE, 0, 0, 0x1000, 0);
        assertFalse(tracker.find(0x1017).live());
        apply(USABLE, 0x1000, 24, 0, 0);
        assertFalse(tracker.find(0x1017).live());
        tracker.checkInvariants();
    }

    @Test
    void shouldEndAllOfABlockWhoseUsableBytesWereTold() {
        apply(MALLOC, 0x1000, 20, 0, 0);
        apply(USABLE, 0x1000, 24, 0, 0);
        String block = at(0x1000);
        apply(REALLOC_BEGIN, 0, 0, 0x1000, 0);
        assertFalse(tracker.find(0x1017).live());
        apply(REALLOC_END, 0, 40, 0x1000, 0);
        assertEquals(block, at(0x1017));
        apply(REALLOC_BEGIN, 0, 0, 0x1000, 0);
        apply(REALLOC_END, 0x2000, 40, 0x1000, 0);
        assertFalse(tracker.find(0x1017).live());
        apply(MALLOC, 0x1000, 16, 0, 0);
        assertFalse(tracker.find(0x1013) != null && tracker.find(0x1013).live());
        tracker.checkInvariants();
    }

    @Test
    void shouldNameTheEventsThatConcernBlocks() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        String before = at(0x1008);
        for (RingEventType type : RingEventType.values()) {
            if (!BlockTracker.concerns(type)) {
                assertNull(apply(type, 0x1000, 24, 0x1000, 24), () -> "" + type);
                assertEquals(before, at(0x1008), () -> "" + type);
                assertEquals(1, tracker.blocks(), () -> "" + type);
            }
        }
        assertFalse(BlockTracker.concerns(RingEventType.EXIT));
    }

    @Test
    void shouldNumberBlocksAndLines() {
        AllocationEvent first = apply(MALLOC, 0x1000, 24, 0, 0);
        AllocationEvent failed = apply(MALLOC, 0, 1L << 60, 0, 0);
        AllocationEvent second = apply(CALLOC, 0x1020, 40, 0, 0);
        AllocationEvent freed = apply(FREE, 0, 0, 0x1000, 0);

        assertEquals(
                new AllocationEvent(
                        'M',
                        1,
                        new Block(
                                Block.Kind.MALLOC,
                                1,
                                0x401065,
                                0x1000,
                                24,
                                Block.Life.LIVE,
                                100,
                                -1),
                        null,
                        0x1000,
                        24,
                        0,
                        0,
                        0x401065,
                        100),
                first);
        assertEquals(
                new AllocationEvent('M', 2, null, null, 0, 1L << 60, 0, 0, 0x401066, 101), failed);
        assertEquals(
                new AllocationEvent(
                        'C',
                        3,
                        new Block(
                                Block.Kind.CALLOC,
                                2,
                                0x401067,
                                0x1020,
                                40,
                                Block.Life.LIVE,
                                102,
                                -1),
                        null,
                        0x1020,
                        40,
                        0,
                        0,
                        0x401067,
                        102),
                second);
        assertEquals(
                new AllocationEvent(
                        'F',
                        4,
                        null,
                        new Block(
                                Block.Kind.MALLOC,
                                1,
                                0x401065,
                                0x1000,
                                24,
                                Block.Life.FREED,
                                100,
                                103),
                        0,
                        0,
                        0x1000,
                        0,
                        0x401068,
                        103),
                freed);
        assertEquals(2, tracker.blocks());
    }

    @Test
    void shouldForgetEndedBlocksWhereNewMemoryIsMapped() {
        apply(MALLOC, 0x10010, 0x3000, 0, 0);
        apply(MALLOC, 0x20000, 24, 0, 0);
        apply(FREE, 0, 0, 0x10010, 0);
        apply(REGION_MAP, 0x11000, 0x801, 0, 0);
        apply(REGION_MAP, 0x20000, 0x1000, 0, 0);
        assertEquals("<freed:0001@f>", at(0x10fff));
        assertEquals("none", at(0x11000));
        assertEquals("none", at(0x11fff));
        assertEquals("<freed:0001@f>", at(0x12000));
        assertEquals("<malloc0002@f>", at(0x20000));
    }

    /** In a static program the C library's call of mmap looks like the program's. */
    @Test
    void shouldTakeAMappingForNoBlockWhereItIsAThreadsStack() {
        apply(MMAP, 0x10000, 0x9000, 0, 0);
        apply(REGION_MAP, 0x11000, 0x7000, 0, SharedLayout.MAP_OF_THREAD);
        assertEquals("<memmap0001@f>", at(0x10fff));
        assertEquals("none", at(0x11000));
        assertEquals("none", at(0x17fff));
        assertEquals("<memmap0001@f>", at(0x18000));
    }

    @Test
    void shouldFindABlockFromItsFirstByteToItsLast() {
        apply(MALLOC, 0x1000, 24, 0, 0);

        assertEquals("none", at(0xfff));
        assertEquals("<malloc0001@f>", at(0x1000));
        assertEquals("<malloc0001@f>", at(0x1017));
        assertEquals("none", at(0x1018));
    }

    @Test
    void shouldFindAFreedBlockUntilItsRangeIsUsedAgain() {
        apply(MALLOC, 0x1000, 64, 0, 0);
        apply(FREE, 0, 0, 0x1000, 0);
        assertEquals("<freed:0001@f>", at(0x103f));

        apply(MALLOC, 0x1000, 24, 0, 0);
        assertEquals("<malloc0002@f>", at(0x1000));
        assertEquals("<freed:0001@f>", at(0x1020));
    }

    @Test
    void shouldForgetSliversOfFreedBlocks() {
        apply(MALLOC, 0x1000, 64, 0, 0);
        apply(FREE, 0, 0, 0x1000, 0);
        apply(MALLOC, 0x1000, 49, 0, 0);
        assertEquals("none", at(0x1031));
    }

    @Test
    void shouldShowADoubleFree() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        AllocationEvent first = apply(FREE, 0, 0, 0x1000, 0);
        AllocationEvent second = apply(FREE, 0, 0, 0x1000, 0);

        assertFalse(first.doubleFree());
        assertTrue(second.doubleFree());
        assertEquals("<freed:0001@f>", name(first.old()));
        assertEquals("<freed:0001@f>", name(second.old()));
        assertEquals(100, second.old().birth());
    }

    @Test
    void shouldKnowNothingOfUnknownAddresses() {
        apply(MALLOC, 0x1000, 24, 0, 0);

        assertNull(apply(FREE, 0, 0, 0x9000, 0).old());
        assertNull(apply(FREE, 0, 0, 0, 0).old());
        assertNull(apply(FREE, 0, 0, 0x1008, 0).old(), "inside a block");
        assertEquals("<malloc0001@f>", at(0x1000));
    }

    @Test
    void shouldFindABlockOfNoBytes() {
        apply(MALLOC, 0x1000, 0, 0, 0);
        assertEquals("<malloc0001@f>", at(0x1000));
        assertEquals(1, apply(FREE, 0, 0, 0x1000, 0).old().number());
    }

    @Test
    void shouldEndTheOldBlockWhenReallocBegins() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        assertNull(apply(REALLOC_BEGIN, 0, 0, 0x1000, 0));
        assertEquals("<freed:0001@f>", at(0x1000));

        AllocationEvent line = apply(REALLOC_END, 0x2000, 1056, 0x1000, 0);

        assertEquals('R', line.letter());
        assertEquals(2, line.number());
        assertEquals("<reallo0002@f>", name(line.block()));
        assertEquals("<freed:0001@f>", name(line.old()));
        assertEquals(101, line.old().death());
        assertEquals("<reallo0002@f>", at(0x2000 + 1055));
        assertEquals("<freed:0001@f>", at(0x1000));
    }

    @Test
    void shouldReplaceABlockReallocatedInPlace() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        apply(REALLOC_BEGIN, 0, 0, 0x1000, 0);
        apply(REALLOC_END, 0x1000, 16, 0x1000, 0);
        assertEquals("<reallo0002@f>", at(0x1000));
        assertEquals("none", at(0x1010), "a sliver");
    }

    @Test
    void shouldReviveABlockWhoseReallocFailed() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        apply(REALLOC_BEGIN, 0, 0, 0x1000, 0);
        AllocationEvent line = apply(REALLOC_END, 0, 1L << 60, 0x1000, 0);

        assertNull(line.block());
        assertEquals("<malloc0001@f>", name(line.old()));
        assertEquals("<malloc0001@f>", at(0x1000));
        assertEquals("<freed:0001@f>", name(apply(FREE, 0, 0, 0x1000, 0).old()));
    }

    @Test
    void shouldFreeABlockReallocatedToNothing() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        apply(REALLOC_BEGIN, 0, 0, 0x1000, 0);
        AllocationEvent line = apply(REALLOC_END, 0, 0, 0x1000, 0);

        assertNull(line.block());
        assertEquals("<freed:0001@f>", name(line.old()));
        assertEquals("<freed:0001@f>", at(0x1000));
    }

    @Test
    void shouldTakeAReallocOfNothingForAnAllocation() {
        apply(REALLOC_BEGIN, 0, 0, 0, 0);
        AllocationEvent line = apply(REALLOC_END, 0x1000, 24, 0, 0);

        assertEquals("<reallo0001@f>", name(line.block()));
        assertNull(line.old());
    }

    @Test
    void shouldMatchTheTwoHalvesByThread() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        apply(MALLOC, 0x2000, 24, 0, 0);
        apply(REALLOC_BEGIN, 1, 0, 0, 0x1000, 0);
        apply(REALLOC_BEGIN, 2, 0, 0, 0x2000, 0);
        AllocationEvent reused = apply(MALLOC, 3, 0x1000, 16, 0, 0);
        AllocationEvent first = apply(REALLOC_END, 1, 0x3000, 32, 0x1000, 0);
        AllocationEvent second = apply(REALLOC_END, 2, 0, 1L << 60, 0x2000, 0);

        assertEquals("<freed:0001@f>", name(first.old()));
        assertEquals("<malloc0002@f>", name(second.old()));
        assertEquals(name(reused.block()), at(0x1000));
        assertEquals("<malloc0002@f>", at(0x2000));
    }

    @Test
    void shouldSurviveALostHalf() {
        apply(MALLOC, 0x1000, 24, 0, 0);
        assertEquals(
                "<freed:0001@f>", name(apply(REALLOC_END, 0x2000, 24, 0x1000, 0).old()));
        for (int i = 0; i < 1_000; i++) {
            apply(REALLOC_BEGIN, 0, 0, 0x2000, 0);
        }
        assertEquals("<freed:0002@f>", at(0x2000));
    }

    @Test
    void shouldSplitAMappingUnmappedInPart() {
        apply(MMAP, 0x10000, 0x4800, 0, 0);
        AllocationEvent line = apply(MUNMAP, 0, 0, 0x11000, 0x1234);

        assertEquals('U', line.letter());
        assertEquals("<unmap:0001@f>", name(line.old()));
        assertEquals("<memmap0001@f>", at(0x10fff));
        assertEquals("<unmap:0001@f>", at(0x11000));
        assertEquals("<unmap:0001@f>", at(0x12fff), "the kernel takes whole pages");
        assertEquals("<memmap0001@f>", at(0x13000));
        assertEquals("<memmap0001@f>", at(0x14fff), "a mapping has whole pages");
        assertEquals(
                0x10000, tracker.find(0x13000).address(), "offsets count from the original start");
    }

    @Test
    void shouldEndEveryMappingInAnUnmappedRange() {
        apply(MMAP, 0x10000, 0x1000, 0, 0);
        apply(MMAP, 0x11000, 0x2000, 0, 0);
        AllocationEvent line = apply(MUNMAP, 0, 0, 0xf000, 0x3000);

        assertEquals("<unmap:0001@f>", name(line.old()));
        assertEquals("<unmap:0002@f>", at(0x11000));
        assertEquals("<memmap0002@f>", at(0x12000));
        assertNull(apply(MUNMAP, 0, 0, 0xf000, 0x3000).old());
    }

    @Test
    void shouldKeepWhatAFixedMappingLeavesOfAnother() {
        apply(MMAP, 0x10000, 0x3000, 0, 0);
        apply(MMAP, 0x11000, 0x1000, 0, 0);

        assertEquals("<memmap0001@f>", at(0x10fff));
        assertEquals("<memmap0002@f>", at(0x11000));
        assertEquals("<memmap0001@f>", at(0x12000));
    }

    @Test
    void shouldNameAMovedMappingAnew() {
        apply(MMAP, 0x10000, 0x3000, 0, 0);
        apply(MREMAP_BEGIN, 0, 0, 0x11000, 0x2000);
        assertEquals("<unmap:0001@f>", at(0x11000));
        AllocationEvent line = apply(MREMAP_END, 0x20000, 0x5000, 0x11000, 0x2000);

        assertEquals('E', line.letter());
        assertEquals("<mremap0002@f>", name(line.block()));
        assertEquals("<unmap:0001@f>", name(line.old()));
        assertEquals("<memmap0001@f>", at(0x10000));
        assertEquals("<mremap0002@f>", at(0x24fff));
    }

    @Test
    void shouldReviveAMappingWhoseMremapFailed() {
        apply(MMAP, 0x10000, 0x3000, 0, 0);
        apply(MREMAP_BEGIN, 0, 0, 0x10000, 0x3000);
        assertEquals(
                "<memmap0001@f>",
                name(apply(MREMAP_END, 0, 0x9000, 0x10000, 0x3000).old()));
        assertEquals("<memmap0001@f>", at(0x12fff));
        apply(MREMAP_BEGIN, 0, 0, 0x10000, 0x3000);
        assertEquals(
                "<memmap0001@f>",
                name(apply(MREMAP_END, -12, 0x9000, 0x10000, 0x3000).old()));
        assertEquals("<memmap0001@f>", at(0x12fff));
    }

    @Test
    void shouldKeepAMappingOfWhichASecondOneIsMade() {
        apply(MMAP, 0x10000, 0x1000, 0, 0);
        apply(MREMAP_BEGIN, 0, 0, 0x10000, 0);
        AllocationEvent line = apply(MREMAP_END, 0x20000, 0x1000, 0x10000, 0);

        assertEquals("<memmap0001@f>", name(line.old()));
        assertEquals("<memmap0001@f>", at(0x10000));
        assertEquals("<mremap0002@f>", at(0x20000));
    }

    @Test
    void shouldGiveTheBlockInsideAMapping() {
        apply(BREAK, 0x10000, 0x1800, 0, 0);
        apply(MALLOC, 0x10010, 24, 0, 0);
        assertEquals("<memmap0001@f>", at(0x1000f));
        assertEquals("<malloc0002@f>", at(0x10010));
        assertEquals("<memmap0001@f>", at(0x10028));
        assertEquals("none", at(0x11800));

        apply(MUNMAP, 0, 0, 0x10000, 0x1800);
        assertEquals("<unmap:0001@f>", at(0x1000f));
        assertEquals("<unmap:0002@f>", at(0x10010));
    }

    @Test
    void shouldDropBlocksWhoseFreeWasMissed() {
        apply(MALLOC, 0x1000, 64, 0, 0);
        apply(MALLOC, 0x1040, 64, 0, 0);
        apply(MALLOC, 0x1020, 64, 0, 0);

        assertEquals("none", at(0x1000));
        assertEquals("<malloc0003@f>", at(0x1020));
        assertEquals("<malloc0003@f>", at(0x105f));
        assertEquals("none", at(0x1060));
    }

    @Test
    void shouldSurviveSizesBeyondTheAddressSpace() {
        apply(MALLOC, 0x1000, -1, 0, 0);
        assertEquals("<malloc0001@f>", at(-2));
        apply(MMAP, 0x1000, -0x800, 0, 0);
        assertEquals("<memmap0002@f>", at(-2));
        apply(MUNMAP, 0, 0, 0x1000, -1);
        assertEquals("<unmap:0002@f>", at(-2));
        tracker.checkInvariants();
    }

    @Test
    void shouldHaveNoLineForOtherEvents() {
        assertNull(apply(RingEventType.THREAD_START, 0, 0, 0, 0));
        assertNull(apply(RingEventType.RECORD_START, 0, 0, 0, 0));
        assertEquals(1, apply(MALLOC, 0x1000, 24, 0, 0).number());
    }
}
