package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;
import java.util.Map;

/**
 * Is implemented by every view of a trace: it is given the events of one process in order, with
 * what is needed to name them. A definition holds for the calls behind it.
 */
public interface EventConsumer {
    /** Key-value pairs about the run; called again at the end with how it ended. */
    default void meta(Map<String, String> values) {}

    /** Takes what the events behind it need in order to be named. */
    default void define(Definition definition) {}

    /**
     * A load or store. A modify comes as two calls, the load first, each with its own number.
     *
     * @param number running number, from 0 at the first start of recording
     * @param store false for a load
     */
    void access(long number, int thread, AccessSite site, boolean store, long address);

    /**
     * The loads and stores of one record at once: its site {@code i} accessed {@code addresses[from
     * + i]}, and {@link SharedLayout#WORD_NONE} there is an access that was not made and has no
     * number. The array is only valid during the call. A consumer that has no use for whole records
     * gets each access by {@link #access}.
     *
     * @param number running number of the first access
     */
    default void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        long next = number;
        for (int i = 0; i < template.length(); i++) {
            AccessSite site = template.site(i);
            long address = addresses[from + i];
            if (address != SharedLayout.WORD_NONE && site.kind() != AccessKind.STORE) {
                access(next++, thread, site, false, address);
            }
            if (address != SharedLayout.WORD_NONE && site.kind() != AccessKind.LOAD) {
                access(next++, thread, site, true, address);
            }
        }
    }

    /**
     * As {@link #record}, of a record whose accesses are those of its last {@code record} or
     * {@code again}: every one was made, and to the same address. Other calls may have come between
     * the two.
     */
    default void again(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        record(number, thread, template, addresses, from);
    }

    /**
     * Consecutive records, bulk transfers, ring events and changes of the thread. A consumer that
     * has no use for rows gets a call for each.
     */
    default void rows(RecordRows rows) {
        rows.give(this);
    }

    /**
     * Accesses that the one who reads the trace does not want: nothing else is told of them. Only
     * who has said so at the reading gets this call.
     *
     * @param number running number of the first one
     */
    default void passed(long number, int thread, long accesses) {}

    /**
     * A bulk transfer.
     *
     * @param to destination of a copy; the address of a store or fetch
     * @param from source of a copy, else 0
     * @param length bytes
     * @param code address of the call or instruction, bit 63 set after a tail call
     */
    void block(long number, int thread, BlockKind kind, long to, long from, long length, long code);

    /**
     * A function is entered or left.
     *
     * @param site the instruction, of the kind {@link AccessKind#ENTER} or {@link AccessKind#LEAVE}
     * @param stack the stack pointer in front of the instruction, where the return address lies
     * @param time the time stamp counter, 0 if it was not recorded
     */
    default void call(long number, int thread, AccessSite site, long stack, long time) {}

    /**
     * As {@link #call(long, int, Site, long, long)}, which is called if nobody has a use for the
     * arguments and results among the words of the record, from {@code at} on.
     */
    default void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        call(number, thread, template.site(0), words[at], template.isTimed() ? words[at + 1] : 0);
    }

    /** An allocation, thread or marker event. */
    void ring(TraceEvent event);

    /** A process image of the run; only the trace of the first one tells of all. */
    default void process(ProcessImage entry) {}

    /** The trace is at its end; {@code complete} is false if it was cut off. */
    default void end(boolean complete) {}
}
