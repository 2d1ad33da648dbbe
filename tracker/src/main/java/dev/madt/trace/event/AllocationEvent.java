package dev.madt.trace.event;

import java.util.Arrays;
import java.util.List;

/**
 * An allocation event that has a line.
 *
 * @param letter M C P R E F U
 * @param number running number of allocation events, from 1
 * @param block the new block, or null if the call failed or made none
 * @param old the block that ended: freed or unmapped by now, live if the call failed and it lives
 *     on; null if none is known
 * @param address start of the new block, or 0
 * @param size bytes asked for
 * @param oldAddress address that was given to free, realloc, munmap or mremap, else 0
 * @param oldSize length that was given to munmap or mremap, else 0
 * @param code code word of the call; 0 if unknown
 * @param epoch epoch of the event
 * @param named whether it is one of an allocator by another name, which may end blocks that it has
 *     allocated unseen
 */
public record AllocationEvent(
        char letter,
        long number,
        Block block,
        Block old,
        long address,
        long size,
        long oldAddress,
        long oldSize,
        long code,
        long epoch,
        boolean named) {
    /** Types of ring events that are allocation events. */
    public static final List<RingEventType> TYPES = Arrays.stream(RingEventType.values())
            .filter(RingEventType::isAllocation)
            .toList();

    /** One of the C library's allocator, or of the system. */
    public AllocationEvent(
            char letter,
            long number,
            Block block,
            Block old,
            long address,
            long size,
            long oldAddress,
            long oldSize,
            long code,
            long epoch) {
        this(letter, number, block, old, address, size, oldAddress, oldSize, code, epoch, false);
    }

    /** Returns what the line of an event says; {@code block} and {@code old} may be null. */
    public static AllocationEvent of(
            TraceEvent.Allocation event, long number, Block block, Block old) {
        return new AllocationEvent(
                event.type().letter(),
                number,
                block,
                old,
                block == null ? 0 : event.address(),
                event.size(),
                event.old(),
                event.oldSize(),
                event.code(),
                event.epoch(),
                switch (event.type()) {
                    case NAMED_ALLOC, NAMED_REALLOC_END, NAMED_FREE -> true;
                    default -> false;
                });
    }

    /** Returns whether a block was freed that had been freed before. */
    public boolean doubleFree() {
        return letter == 'F' && old != null && old.death() != epoch;
    }
}
