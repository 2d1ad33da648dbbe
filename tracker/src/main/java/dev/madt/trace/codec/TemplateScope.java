package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.SharedLayout;

/** Answers what the writer of EVTS frames asks of whoever knows the process. */
public interface TemplateScope {
    /**
     * The template of a number from {@link SharedLayout#TEMPLATE_FIRST_MODULE} on, always the same
     * object; null if nobody has it. The number that the trace has for it may be another.
     */
    RecordTemplate template(int number);

    /**
     * Returns whether the records of a template that there is are left in their spans, for whoever
     * gave them: what they tell does not stand in a trace as it is. Always the same.
     */
    default boolean handsBack(int number) {
        return false;
    }

    /**
     * A template is about to stand in a frame for the first time: its definition must come in front
     * of it.
     */
    void define(RecordTemplate template);

    /**
     * Returns whether accesses of a site count where their addresses do: always the same. Nobody
     * asks for probes, which always count.
     */
    boolean traced(AccessSite site);

    /** Returns whether accesses of such a site count at whatever address: always the same. */
    default boolean everywhere(AccessSite site) {
        return false;
    }

    /**
     * Returns whether accesses to an address count.
     *
     * @param range takes start and end of addresses around it of which the same is true until
     *     {@link EventsFrame#spaceChanged}; the order is that of signed numbers. Ranges do not
     *     overlap
     */
    boolean traced(long address, long[] range);
}
