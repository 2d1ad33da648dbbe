package dev.madt.tracker;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;

/**
 * Says what a {@link BlockTracker} remembers of the blocks of heaps beside themselves, and is told
 * what becomes of them. A stamp has 40 bits at little cost, more at some; a note is a number of the
 * keeper's own.
 */
public interface BlockKeeper {
    /** Remembers the epochs of births, 0 of what was inherited, and nothing else. */
    BlockKeeper EPOCHS = new BlockKeeper() {};

    /** Remembers nothing. */
    BlockKeeper NOTHING = new BlockKeeper() {
        @Override
        public long birth(TraceEvent event) {
            return 0;
        }
    };

    /** Returns whether blocks have notes, which are 0 at first; each costs 8 bytes a block. */
    default boolean notes() {
        return false;
    }

    /** The stamp, from 0 on, of the block that the event makes. */
    default long birth(TraceEvent event) {
        return event.type() == RingEventType.INHERIT ? 0 : event.epoch();
    }

    /**
     * The stamp of a block from the event that ends it on; negative: it stays that of its birth.
     */
    default long end(TraceEvent.Allocation event) {
        return -1;
    }

    /**
     * Blocks of one call whose addresses have different tags have different sites. From 0 on,
     * small.
     */
    default int tag(long address) {
        return 0;
    }

    /**
     * An event of its own has ended a block: free, realloc, or the munmap of what was no mapping.
     */
    default void ended(int site, long size, long birth, long note) {}

    /** Another block has come where this one was, and no event has said how it ended. */
    default void replaced(int site, long size, long birth, long note) {}

    /**
     * A block is not there any more, and no event has said so; or a munmap ended it beside another.
     */
    default void lost(int site, long size, long note) {}
}
