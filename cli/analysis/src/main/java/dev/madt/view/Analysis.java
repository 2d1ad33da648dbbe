package dev.madt.view;

import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.Map;

/**
 * Takes the events of one process in their order and makes something of them: a report, a picture,
 * a text. Accesses come as columns, so that they can be counted in a tight loop; a batch ends
 * wherever something else happens, hence the order of the calls is that of the events. Code and
 * data come as {@link Place} and {@link DataObject}, one object each for as long as it keeps its
 * name: an analysis keeps what it counts as {@link Notes} on them, and asks for names when it
 * writes its result. {@link Reading} makes the calls, of any number of analyses in one pass.
 */
public interface Analysis {
    /** Is asked in front of all events of a trace, perhaps several times. */
    default Needs needs() {
        return Needs.BATCHES;
    }

    /** Key-value pairs about the run; called again at the end with how it ended. */
    default void meta(Map<String, String> values) {}

    /** Loads and stores of one thread; the batch is only valid during the call. */
    void accesses(Accesses batch);

    /**
     * Accesses by code of which {@link Needs#code} does not hold, or in records all of which are to
     * other memory than {@link Needs#memory}: they are not given.
     */
    default void idle(long accesses) {}

    /** A bulk transfer; the analysis that does not count them ignores them. */
    default void block(BlockAccess event) {}

    /**
     * A heap block, whose bytes {@link Needs#touches} is told of, is not followed any more though
     * no event has ended it, or the trace is at its end.
     *
     * @param note what {@link BlockTouch} said last of it
     */
    default void lost(DataObject site, long size, long note) {}

    /**
     * Another heap block has come where one was that no event has ended: its allocator does not say
     * when blocks end. Only where blocks go by site.
     *
     * @param next number of the first access behind that
     */
    default void replaced(DataObject site, Allocation.Life life, long next) {}

    /**
     * Whom the analysis may ask what lies beside an address, unless {@link Needs#blocksBySite}.
     * Told once, in front of all events.
     */
    default void neighbours(Neighbours space) {}

    /**
     * Whom the analysis may ask for the calls that an event names, if {@link Needs#chains} holds.
     * Told once, in front of all events.
     */
    default void stacks(CallChain.Source source) {}

    /**
     * A function is entered or left, or was open when the recording of its thread began: that is
     * told as its enter, of which the time is not known.
     *
     * @param place where; its kind says which of the two
     * @param stack the stack pointer
     * @param time by the clock of the trace, which {@link #meta} tells of; 0: not known
     */
    default void call(int thread, Place place, long stack, long time) {}

    /** A call that allocated or freed. */
    default void allocation(Allocation event) {}

    /**
     * A live block that a fork's child has from its parent: as if it was allocated in front of all
     * events.
     */
    default void inherited(DataObject block, long size) {}

    /** An event that is printed by its words alone; {@link #ring} is told of it, too. */
    default void event(NamedEvent event) {}

    /** Any other event: a thread's start or end, a window of recording. */
    default void ring(TraceEvent event) {}

    /**
     * A range of the address space; {@code kind} and the rest as in docs/FORMAT.md, section MAPS.
     */
    default void mapped(RegionKind kind, long start, long end, String label) {}

    /** The trace is at its end; {@code complete} is false if it was cut off. */
    default void end(boolean complete) {}
}
