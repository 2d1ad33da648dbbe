package dev.madt.tracker;

import dev.madt.trace.event.Block;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/** The calls of realloc and mremap that are between their two events, by thread. */
final class BegunCalls {
    /**
     * Calls that a thread has begun and not ended, signal handlers on top of each other; older ones
     * will never end.
     */
    static final int DEEPEST = 16;

    private final IntObjectHashMap<Deque<Call>> calls = new IntObjectHashMap<>();
    private final BlockKeeper keeper;

    /** @param keeper is told of blocks whose call never ends */
    BegunCalls(BlockKeeper keeper) {
        this.keeper = keeper;
    }

    /**
     * Says what a call has ended at an address: the first block as it is now, its parts as they
     * were, or pieces of mappings likewise.
     *
     * @param nested it is one of {@link NestedBlocks}
     */
    record Call(
            long address,
            Block block,
            List<BlockPiece> parts,
            List<BlockMap.Piece> pieces,
            boolean nested) {
        /** Of a block of a heap. */
        Call(long address, Block block, List<BlockPiece> parts) {
            this(address, block, parts, List.of(), false);
        }
    }

    /** Keeps a call. */
    void begin(int thread, Call call) {
        Deque<Call> ofThread = calls.getIfAbsentPut(thread, ArrayDeque::new);
        ofThread.push(call);
        if (ofThread.size() > DEEPEST) {
            lost(ofThread.removeLast());
        }
    }

    /** Takes what the thread began last with this address; null if there is nothing. */
    Call take(int thread, long address) {
        Deque<Call> ofThread = calls.get(thread);
        if (ofThread == null) {
            return null;
        }
        for (Iterator<Call> each = ofThread.iterator(); each.hasNext(); ) {
            Call candidate = each.next();
            if (candidate.address() == address) {
                each.remove();
                return candidate;
            }
        }
        return null;
    }

    /** A thread is no more, and ends no call. */
    void end(int thread) {
        Deque<Call> ofThread = calls.remove(thread);
        if (ofThread != null) {
            ofThread.forEach(this::lost);
        }
    }

    /** No call ends any more. */
    void end() {
        calls.forEach(ofThread -> ofThread.forEach(this::lost));
    }

    private void lost(Call never) {
        for (BlockPiece part : never.parts()) {
            if (part.start() == part.address() && !part.told()) {
                keeper.lost(part.site(), part.size(), part.note());
            }
        }
    }
}
