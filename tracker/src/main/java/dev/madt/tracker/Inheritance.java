package dev.madt.tracker;

import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.TraceEvent;

/**
 * Holds what the child of a fork has from its parent, as INHERIT events: what lives in heaps and as
 * mappings, then what has ended.
 */
final class Inheritance {
    private Inheritance() {}

    /** Tells everything; returns the greatest number of a block, 0 if there is none. */
    static long tell(
            BlockTable heap,
            NestedBlocks nested,
            BlockMap mappings,
            BlockMap under,
            RingEventTaker taker) {
        long[] greatest = {0};
        RingEventTaker counting = event -> {
            greatest[0] = Math.max(greatest[0], event.epoch());
            taker.take(event);
        };
        heap.tell(true, counting);
        tell(mappings, counting);
        nested.inherited(counting);
        heap.tell(false, counting);
        tell(under, counting);
        return greatest[0];
    }

    private static void tell(BlockMap map, RingEventTaker taker) {
        for (BlockMap.Piece piece : map.pieces()) {
            taker.take(BulkTransfers.inherit(piece.block(), piece.start(), piece.end()));
        }
    }

    /** Takes over a piece of a block, of which {@code birth} is remembered if it lives. */
    static void take(
            TraceEvent.Inherit event,
            Block block,
            int site,
            long birth,
            BlockTable heap,
            BlockMap mappings,
            BlockMap under) {
        long start = event.start();
        long end = event.end();
        long stamp = block.live() ? birth : 0;
        BlockPiece piece = new BlockPiece(
                start, end, block.address(), block.size(), site, block.number(), stamp, 0, false);
        if (block.live() && block.kind().mapping()) {
            mappings.put(start, end, block);
        } else if (block.live()) {
            heap.clear(start, end, true);
            heap.lay(start, end, under);
            heap.add(piece);
        } else {
            heap.clear(start, end, false);
            under.cut(start, end);
            if (block.kind().mapping() || heap.overlap(start, end)) {
                under.put(start, end, block);
            } else {
                heap.addEnded(piece, block.life());
            }
        }
    }
}
