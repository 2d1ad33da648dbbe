package dev.madt.tracker;

import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;

/** Says what the numbers of allocation events say of blocks, and of their ranges of addresses. */
public final class BulkTransfers {
    /** INHERIT events: the kind stands in the thread's low bits, the life above. */
    private static final int LIFE_SHIFT = 8;

    private BulkTransfers() {}

    /** The INHERIT event of the piece [start, end) of a block. */
    static TraceEvent.Inherit inherit(Block block, long start, long end) {
        return new TraceEvent.Inherit(
                block.kind().ordinal() | block.life().ordinal() << LIFE_SHIFT,
                block.number(),
                block.address(),
                block.size(),
                start,
                end,
                block.code());
    }

    /** The block of an INHERIT event, which may have several; null if the event is malformed. */
    public static Block inherited(TraceEvent.Inherit event) {
        Block.Kind[] kinds = Block.Kind.values();
        Block.Life[] lives = Block.Life.values();
        int kind = event.thread() & (1 << LIFE_SHIFT) - 1;
        int life = event.thread() >>> LIFE_SHIFT;
        if (kind < kinds.length
                && life < lives.length
                && Long.compareUnsigned(event.start(), event.end()) < 0) {
            return new Block(
                    kinds[kind],
                    event.epoch(),
                    event.code(),
                    event.block(),
                    event.size(),
                    lives[life],
                    -1,
                    lives[life] == Block.Life.LIVE ? -1 : 0);
        }
        return null;
    }

    /** mmap gives small negative numbers as errors, the others 0. */
    static boolean failed(TraceEvent.Allocation event) {
        return event.address() == 0
                || Long.compareUnsigned(event.address(), -SharedLayout.PAGE) >= 0;
    }

    /**
     * One past the last byte; a block of no bytes has one, so that it can be found, and mappings
     * have whole pages.
     */
    static long end(long start, long size, RingEventType type) {
        long bytes = size == 0 ? 1 : size;
        return type == RingEventType.MMAP || type == RingEventType.MREMAP_END
                ? pageEnd(start, bytes)
                : sum(start, bytes);
    }

    static long pageEnd(long address, long size) {
        long end = sum(address, size);
        long up = end + SharedLayout.PAGE - 1 & -SharedLayout.PAGE;
        return Long.compareUnsigned(up, end) < 0 ? -1 : up;
    }

    /** The sum, or the greatest address if it would be beyond. */
    static long sum(long address, long size) {
        long end = address + size;
        return Long.compareUnsigned(end, address) < 0 ? -1 : end;
    }
}
