package dev.madt.trace.codec;

import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import dev.madt.trace.layout.SharedLayout;

/** What the writer of EVTS frames asks of whoever knows the process. */
public interface RunScope {
    /**
     * The run of a number from {@link SharedLayout#RUN_FIRST_MODULE} on, always the same object;
     * null if nobody has it. The number that the trace has for it may be another.
     */
    Run run(int number);

    /**
     * A run is about to stand in a frame for the first time: its definition must come in front of
     * it.
     */
    void define(Run run);

    /**
     * Whether an access of a site to an address counts.
     *
     * @param range takes start and end of addresses around it of which, for this site, the same is
     *     true until {@link EventsFrame#spaceChanged}; the order is that of signed numbers
     */
    boolean traced(Site site, long address, long[] range);
}
