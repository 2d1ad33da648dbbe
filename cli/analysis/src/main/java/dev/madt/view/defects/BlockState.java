package dev.madt.view.defects;

import dev.madt.view.CallChain;
import java.util.ArrayList;
import java.util.List;

/** Holds what is known of a block of a heap while it lives. */
final class BlockState {
    private static final int MOST_READS = 64;

    /** A read of what nobody has written, and what led to it. */
    record Read(Defect.Case each, Defect.History history) {}

    /** Says which bytes have been written; null: nobody knows, or all. */
    WrittenBytes written;
    /** Grows when writing can have gone unseen; as it was at the block's birth. */
    final int window;
    /** Says whether it counts among those that the program has to free. */
    final boolean counted;
    /** The calls that led to its allocation and to its end; null where nobody knows. */
    CallChain allocated;

    CallChain end;
    /** The function that allocated it; null: nobody knows. */
    Family family;
    /** Says whether realloc has made another block of it. */
    boolean moved;
    /** Says whether it has been freed, or realloc has begun to. */
    boolean ended;
    /** Says whether what was to be told at its end has been told. */
    boolean gone;

    private final int thread;
    private boolean shared;
    private List<Read> reads = List.of();

    BlockState(WrittenBytes written, int window, int thread, boolean counted) {
        this.written = written;
        this.window = window;
        this.thread = thread;
        this.counted = counted;
    }

    /** A thread accesses the block. */
    void by(int accessing) {
        shared |= accessing != thread;
    }

    void read(Read read) {
        if (reads.isEmpty()) {
            reads = new ArrayList<>(1);
        }
        if (reads.size() < MOST_READS) {
            reads.add(read);
        }
    }

    /**
     * Reads of what nobody has written. There are none where threads share the block: what they do
     * between two allocations comes in the order of each thread, so that the writing may stand
     * behind the reading.
     */
    List<Read> takeReads() {
        List<Read> taken = shared ? List.of() : reads;
        reads = List.of();
        return taken;
    }
}
