package dev.madt.tracker;

import dev.madt.trace.event.Block;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/** The calls of realloc and mremap that are between their two events, by thread. */
final class BegunCalls {
    /**
     * Calls that a thread has begun and not ended, signal handlers on top of each other; older ones
     * will never end.
     */
    static final int DEEPEST = 16;

    private final IntObjectHashMap<Deque<Call>> calls = new IntObjectHashMap<>();

    /**
     * Says what a call has ended at an address: the first block as it is now, its parts as they
     * were, or pieces of mappings likewise.
     */
    record Call(long address, Block block, List<BlockPiece> parts, List<BlockMap.Piece> pieces) {}

    /** Keeps a call; returns one that is too old to end, or null. */
    Call begin(int thread, Call call) {
        Deque<Call> ofThread = calls.getIfAbsentPut(thread, ArrayDeque::new);
        ofThread.push(call);
        return ofThread.size() > DEEPEST ? ofThread.removeLast() : null;
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

    /** The calls of a thread that is no more. */
    List<Call> end(int thread) {
        Deque<Call> ofThread = calls.remove(thread);
        return ofThread == null ? List.of() : new ArrayList<>(ofThread);
    }

    void forEach(Consumer<Call> consumer) {
        calls.forEach(ofThread -> ofThread.forEach(consumer));
    }
}
