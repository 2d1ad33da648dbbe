package dev.madt.view.defects;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Reads of what nobody has written on a stack. */
final class StackReads {
    /** Enough to find bugs by. */
    private static final int MOST = 100_000;
    /** Callers have what a function writes for them no further from it than this. */
    private static final long NEAR = 1L << 16;

    /** Nothing is known of stacks when more was written at once. */
    private static final long LONGEST = 1L << 30;

    private static final int WORD_BITS = 3;

    private DeadBytes dead = new DeadBytes();
    private final LongObjectHashMap<List<BlockState.Read>> reads = new LongObjectHashMap<>();
    private int count;

    /** Returns what functions have left behind. */
    DeadBytes dead() {
        return dead;
    }

    /**
     * A thread writes. Threads' accesses stand one thread behind the other between two allocations,
     * so that what another one writes may have been there when it was read.
     */
    void written(int thread, long address, long length) {
        if (length > LONGEST) {
            forget();
            return;
        }
        long size = Math.max(1, length);
        dead.clear(address, size);
        if (!reads.isEmpty()) {
            long last = address + Math.min(size, NEAR) - 1;
            for (long word = address >>> WORD_BITS; word <= last >>> WORD_BITS; word++) {
                List<BlockState.Read> of = reads.get(word);
                if (of != null) {
                    of.removeIf(read -> read.each().thread() != thread);
                }
            }
        }
    }

    /** Code that is not recorded may have written to the frames of functions from here on. */
    void unseen(long callers) {
        dead.clear(callers, NEAR);
    }

    /** Stacks may have changed unseen. */
    void forget() {
        dead = new DeadBytes();
    }

    void read(long address, BlockState.Read read) {
        dead.clear(address, read.each().length());
        if (count++ < MOST) {
            reads.getIfAbsentPut(address >>> WORD_BITS, () -> new ArrayList<>(1))
                    .add(read);
        }
    }

    /** All reads but those of what another thread wrote, in their order. */
    List<BlockState.Read> take() {
        return reads.stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(read -> read.each().number()))
                .toList();
    }
}
