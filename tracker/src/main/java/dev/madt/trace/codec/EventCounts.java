package dev.madt.trace.codec;

import dev.madt.trace.layout.EventsLayout;

/**
 * Says what is in an EVTS frame, as its head says and its records must agree. A modify is a load
 * and a store.
 *
 * @param blocks bulk transfers, and functions that are entered and left
 */
public record EventCounts(int loads, int stores, int blocks, int allocations) {
    /** The counts in the head of a frame that was built here. */
    public static EventCounts of(Frame frame) {
        return new EventCounts(
                frame.payload().getInt(EventsLayout.LOADS_AT),
                frame.payload().getInt(EventsLayout.STORES_AT),
                frame.payload().getInt(EventsLayout.BLOCKS_AT),
                frame.payload().getInt(EventsLayout.ALLOCATIONS_AT));
    }

    /** Accesses, bulk transfers and calls, which are numbered in one. */
    public long numbered() {
        return (long) loads + stores + blocks;
    }

    /**
     * Not a record's own, like those of all records whose equality every start of MadT needs: the
     * JVM puts such code together at its first use, in as much time as a short trace takes.
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof EventCounts counts
                && loads == counts.loads
                && stores == counts.stores
                && blocks == counts.blocks
                && allocations == counts.allocations;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * loads + stores) + blocks) + allocations;
    }

    boolean possible() {
        return loads >= 0 && stores >= 0 && blocks >= 0 && allocations >= 0;
    }
}
