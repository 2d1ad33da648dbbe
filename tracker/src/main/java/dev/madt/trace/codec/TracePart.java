package dev.madt.trace.codec;

import dev.madt.trace.event.EventConsumer;

/**
 * A part of a trace, decoded: a frame of definitions, or some records of an EVTS frame. Several
 * consumers may be given one part, each by its own thread.
 */
public interface TracePart {
    /**
     * Makes the calls for everything in the part.
     *
     * @throws TraceFormatException if a payload is not what docs/FORMAT.md says
     */
    void give(EventConsumer consumer) throws TraceFormatException;

    /** Makes only the calls that change what addresses are called: definitions and ring events. */
    void skim(EventConsumer consumer) throws TraceFormatException;
}
