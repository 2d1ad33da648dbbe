package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A child of fork knows the blocks of its parent: same ranges, numbers, lives; and counts on behind
 * them.
 */
class InheritanceTest {
    private static TraceEvent event(
            RingEventType type, long epoch, long address, long size, long old, long oldSize) {
        return TraceEvent.of(type, 7, epoch, address, size, old, oldSize, "", 0x401000 + epoch);
    }

    private static String seen(Block block) {
        return block == null
                ? "none"
                : block.kind() + " " + block.number() + " " + block.life() + " " + block.address()
                        + "+" + block.size() + " " + block.code();
    }

    @Test
    void shouldFindTheSameBlocksAtEveryAddressAsTheParent() {
        Random random = new Random(20261121);
        BlockTracker parent = new BlockTracker();
        List<Long> live = new ArrayList<>();
        for (long epoch = 0; epoch < 2_003; epoch++) {
            long address = 0x10_0000 + random.nextInt(3_989) * 16L;
            switch (random.nextInt(6)) {
                case 0, 1, 2 -> {
                    parent.apply(event(
                            RingEventType.MALLOC, epoch, address, 1 + random.nextInt(97), 0, 0));
                    live.add(address);
                }
                case 3 ->
                    parent.apply(event(
                            RingEventType.MMAP,
                            epoch,
                            0x20_0000 + random.nextInt(16) * 4_096L,
                            8_192,
                            0,
                            0));
                case 4 ->
                    parent.apply(event(
                            RingEventType.MUNMAP,
                            epoch,
                            0,
                            0,
                            0x20_0000 + random.nextInt(16) * 4_096L,
                            4_096));
                default ->
                    parent.apply(event(
                            RingEventType.FREE,
                            epoch,
                            0,
                            0,
                            live.isEmpty() ? address : live.remove(random.nextInt(live.size())),
                            0));
            }
        }
        BlockTracker child = new BlockTracker();
        parent.inheritance().forEach(block -> assertNull(child.apply(block)));

        for (long address = 0x0f_f000; address < 0x21_2000; address += 5) {
            assertEquals(
                    seen(parent.find(address)),
                    seen(child.find(address)),
                    Long.toHexString(address));
        }
        assertEquals(
                parent.blocks() + 1,
                child.apply(event(RingEventType.MALLOC, 3_000, 0x30_0000, 8, 0, 0))
                        .block()
                        .number());
        assertEquals(
                2,
                child.apply(event(RingEventType.MALLOC, 3_001, 0x30_1000, 8, 0, 0))
                        .number());
        child.checkInvariants();
    }
}
