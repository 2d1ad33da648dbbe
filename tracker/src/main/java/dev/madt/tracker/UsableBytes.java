package dev.madt.tracker;

import dev.madt.trace.event.TraceEvent;

/**
 * Gives blocks what a program may use of them beyond the size that it asked for, since it has asked
 * the allocator how much that is. A block keeps its size; its piece goes on behind it.
 */
final class UsableBytes {
    private UsableBytes() {}

    /** Gives a block of a heap that lives all that the event says, if nothing else lives there. */
    static void take(TraceEvent.Usable event, BlockTable heap, BlockMap under) {
        long start = event.block();
        long end = BulkTransfers.sum(start, event.size());
        if (!heap.find(start)
                || !heap.live()
                || heap.start() != start
                || heap.address() != start
                || Long.compareUnsigned(end, heap.end()) <= 0) {
            return;
        }
        BlockPiece piece = heap.piece();
        if (heap.overlap(piece.end(), end, true)) {
            return;
        }
        heap.find(start);
        heap.remove();
        heap.add(piece.reaching(end));
        if (!under.isEmpty()) {
            under.cut(piece.end(), end);
        }
    }

    /** Returns the end of the block at a table's cursor, with what may be used behind its size. */
    static long end(BlockTable heap) {
        long start = heap.address();
        long end = BulkTransfers.sum(start, Math.max(1, heap.blockSize()));
        return heap.start() == start ? BlockMap.later(end, heap.end()) : end;
    }
}
