package dev.madt.view;

import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEvent;
import java.util.Map;

/**
 * What every view of a trace implements: the events of one process in their order. Accesses come as
 * columns, so that a view can count in a tight loop; a batch ends wherever something else happens,
 * hence the order of the calls is that of the events. Code and data come as {@link Place} and
 * {@link Datum}, one object each for as long as it keeps its name; a view may hang its own tallies
 * on them and ask for names when it writes its result. {@link ViewFeed} makes the calls.
 */
public interface TraceView {
    /** Key-value pairs about the run; called again at the end with how it ended. */
    default void meta(Map<String, String> values) {}

    /** Loads and stores of one thread; the batch is only valid during the call. */
    void accesses(Accesses batch);

    /**
     * Who is given most accesses in the place of {@link #accesses}; null to get all in batches.
     * Asked once, in front of all events. The order of the calls is kept.
     */
    default AccessCounter counter() {
        return null;
    }

    /** A block event; the view that does not count them ignores them. */
    default void block(BlockAccess event) {}

    /**
     * Whether a view does not tell heap blocks of one call from each other. All such blocks that
     * live are one {@link Datum} then, which begins where the block at hand does
     * ({@link Accesses#start}); so memory and time do not grow with the blocks. Asked once, in
     * front of all events.
     */
    default boolean blocksBySite() {
        return false;
    }

    /**
     * Who is told which bytes of blocks are accessed, where {@link #blocksBySite}; or null. Asked
     * once, in front of all events.
     */
    default BlockTouch touches() {
        return null;
    }

    /**
     * Who is told of heap blocks in the place of {@link #allocation}, which is told of all other
     * allocations; null: nobody. Where {@link #blocksBySite}; asked once, in front of all events.
     */
    default BlockLives lives() {
        return null;
    }

    /**
     * Where {@link #touches}: a heap block is not followed any more though no event has ended it,
     * or the trace is at its end.
     *
     * @param note what {@link BlockTouch} said last of it
     */
    default void lost(Datum site, long size, long note) {}

    /**
     * Whom the view may ask what lies beside an address, unless {@link #blocksBySite}. Told once,
     * in front of all events.
     */
    default void neighbours(Neighbours space) {}

    /**
     * Whether events are told one by one: then a selection selects allocations as it does accesses.
     * Asked once.
     */
    default boolean listsEvents() {
        return false;
    }

    /**
     * A function is entered or left.
     *
     * @param place where; its kind says which of the two
     * @param stack the stack pointer
     */
    default void call(int thread, Place place, long stack) {}

    /** A call that allocated or freed. */
    default void allocation(Allocation event) {}

    /**
     * A live block that a fork's child has from its parent: as if it was allocated in front of all
     * events.
     */
    default void inherited(Datum block, long size) {}

    /** Any other event: a thread's start or end, a window of recording. */
    default void ring(RingEvent event) {}

    /**
     * A range of the address space; {@code kind} and the rest as in docs/FORMAT.md, section MAPS.
     */
    default void mapped(RegionKind kind, long start, long end, String label) {}

    /** The trace is at its end; {@code complete} is false if it was cut off. */
    default void end(boolean complete) {}
}
