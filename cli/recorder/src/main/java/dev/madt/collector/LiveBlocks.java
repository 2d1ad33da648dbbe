package dev.madt.collector;

import dev.madt.modules.RegionMap;
import dev.madt.natives.NativeRecordEncoder;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTable;
import dev.madt.tracker.BlockTracker;
import java.util.List;

/**
 * Follows the blocks of a process as it is recorded: children of fork inherit them, nobody else
 * asks. The encoder notes what becomes of most of them in its journal, which is read when a fork,
 * another kind of event or its length asks for it. The trace does without the blocks: where they
 * find no memory, the process goes on to be recorded whole, and only its children miss them.
 */
final class LiveBlocks {
    /** Blocks that fit into half of the memory, so that there is enough for everything else. */
    private static final long MOST = Runtime.getRuntime().maxMemory() / 64;

    private final NativeRecordEncoder encoder;
    private final ForkState forkState;
    /** Null if none is followed. */
    private BlockTracker tracker;

    private boolean givenUp;
    /** Of the tracker, when it is forgotten. */
    private long unknownEnds;

    LiveBlocks(NativeRecordEncoder encoder, ForkState forkState, boolean follow) {
        this.encoder = encoder;
        this.forkState = forkState;
        tracker = follow ? new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING) : null;
        encoder.follow(follow);
    }

    /** Begins with the blocks of the parent. */
    void inherit(BlockTracker blocks) {
        if (tracker != null) {
            tracker = blocks;
            encoder.blocks(blocks.blocks());
        }
    }

    /**
     * Applies an event that is not in the journal. Those that concern no block leave the journal as
     * it is: most processes end with blocks that nobody asks for.
     */
    void follow(TraceEvent event) {
        if (!BlockTracker.concerns(event.type())) {
            return;
        }
        catchUp();
        if (tracker == null) {
            return;
        }
        if (event.type() == RingEventType.GO_ALLOC) {
            count();
            return;
        }
        try {
            tracker.follow(event);
            encoder.blocks(tracker.blocks());
            noteCut(event);
        } catch (OutOfMemoryError e) {
            giveUp();
        }
    }

    /**
     * Counts a block that nothing ends, and that no child of a fork needs: Go's programs execute
     * something else there at once.
     */
    private void count() {
        tracker.blocks(tracker.blocks() + 1);
        encoder.blocks(tracker.blocks());
    }

    /** An allocator may have cut its block from one of a heap: the encoder leaves its end to us. */
    private void noteCut(TraceEvent event) {
        if (event.type() == RingEventType.NAMED_ALLOC
                || event.type() == RingEventType.NAMED_REALLOC_END) {
            TraceEvent.Allocation one = (TraceEvent.Allocation) event;
            noteCut(one.address() == 0 ? one.old() : one.address());
        }
    }

    private void noteCut(long address) {
        BlockTable heap = tracker.heap();
        if (heap.find(address) && heap.live()) {
            encoder.cut(heap.address(), true);
        }
    }

    /** The blocks of the parent stand in the trace. */
    void inherited() {
        if (tracker == null) {
            return;
        }
        try {
            tracker.nested().inherited(block -> noteCut(((TraceEvent.Inherit) block).start()));
        } catch (OutOfMemoryError e) {
            giveUp();
        }
    }

    /** Returns whether a block of a heap is known to live that begins at an address. */
    boolean hasInHeap(long address) {
        catchUp();
        return tracker != null && tracker.hasInHeap(address);
    }

    /**
     * Takes the addresses of the blocks that an allocator has cut from what an event is about to
     * end, and of those that end with these.
     */
    long[] takeCutFrom(TraceEvent event) {
        boolean ends = event.type() == RingEventType.FREE || event.type() == RingEventType.MUNMAP;
        if (!ends || tracker == null || tracker.nested().isEmpty()) {
            return new long[0];
        }
        catchUp();
        if (tracker == null) {
            return new long[0];
        }
        TraceEvent.Allocation one = (TraceEvent.Allocation) event;
        if (event.type() == RingEventType.FREE) {
            encoder.cut(one.old(), false);
        }
        return tracker.nested().takeCutFrom(one, tracker.heap());
    }

    /** Takes the addresses of the blocks that end with a pool. */
    long[] takePool(long pool) {
        return tracker == null ? new long[0] : tracker.nested().takePool(pool);
    }

    /**
     * Returns how often an allocator by another name ended what it is not known to have allocated.
     */
    long unknownEnds() {
        return tracker == null ? unknownEnds : tracker.nested().unknownEnds();
    }

    /** Applies the journal. */
    void catchUp() {
        if (tracker == null) {
            return;
        }
        try {
            encoder.journal(this::apply);
            tracker.blocks(encoder.blocks());
            if (tracker.heap().size() > MOST) {
                giveUp();
            }
        } catch (OutOfMemoryError e) {
            giveUp();
        }
    }

    private void apply(TraceEvent event, long blocks) {
        tracker.blocks(event.type() == RingEventType.FREE ? blocks : blocks - 1);
        tracker.follow(event);
    }

    /** A thread forks: the child inherits the blocks and the stacks of now. */
    void fork(TraceEvent event, List<RegionMap.Region> stacks) {
        catchUp();
        if (tracker != null) {
            ForkState.Left now = new ForkState.Left(tracker.fork(), stacks);
            forkState.begin(event.thread(), event.epoch(), now);
        }
    }

    private void giveUp() {
        forget();
        forkState.giveUp();
        givenUp = true;
    }

    /**
     * Returns whether children do not know the blocks that they have from this process, for want of
     * memory.
     */
    boolean givenUp() {
        return givenUp;
    }

    /** Nobody asks any more. */
    void forget() {
        unknownEnds = unknownEnds();
        tracker = null;
        encoder.follow(false);
    }
}
