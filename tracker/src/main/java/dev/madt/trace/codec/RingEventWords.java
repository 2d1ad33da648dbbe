package dev.madt.trace.codec;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;

/**
 * Ring events as they stand in EVTS frames, in full or in their short form. Not for use by several
 * threads.
 */
public final class RingEventWords {
    /** Type and callers, ticket, thread: of every event. */
    private static final int HEAD_WORDS = 3;

    private static final int EVENT_WORDS = 7;
    /** Code words of a ring event; more than one is not written yet. */
    private static final int MOST_CALLERS = 8;

    private final AllocationWords shortForms = new AllocationWords();

    /** A frame begins. */
    public void begin() {
        shortForms.begin();
    }

    /** Returns whether templates of this number are ring events. */
    static boolean isRingEvent(int template) {
        return template == SharedLayout.TEMPLATE_EVENT || template == SharedLayout.TEMPLATE_SITE;
    }

    /**
     * The event of the record at hand; every event of a frame must be taken, in their order.
     *
     * @return null if the record is none
     * @throws TraceFormatException if it is malformed
     */
    public TraceEvent take(RecordReader reader) throws TraceFormatException {
        return isRingEvent(reader.template())
                ? decode(reader, reader.context(), reader.words(), 0)
                : null;
    }

    /** Returns whether one may be in the frame that a reader has just begun; false is certain. */
    static boolean mayBeIn(RecordReader reader) {
        return reader.mayHave(SharedLayout.TEMPLATE_EVENT)
                || reader.mayHave(SharedLayout.TEMPLATE_SITE);
    }

    /**
     * The event of the record at hand, one of those that {@link #isRingEvent} names.
     *
     * @throws TraceFormatException if it is malformed
     */
    TraceEvent decode(RecordReader reader, TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        if (context.number != SharedLayout.TEMPLATE_EVENT) {
            TraceEvent event = shortForms.decode(
                    context.site, reader.epoch(), reader.moved(), reader.allocations());
            if (event == null) {
                throw reader.malformed("template " + context.number
                        + ", which says nothing that is possible here");
            }
            return event;
        }
        TraceEvent event = inFull(reader, context, words, at);
        shortForms.plain(event);
        return event;
    }

    private static TraceEvent inFull(
            RecordReader reader, TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        if (context.words < HEAD_WORDS) {
            throw reader.malformed(
                    "template " + context.number + " of " + context.words + " words");
        }
        RingEventType type = RingEventType.ofTrace((int) words[at] & 0xffff);
        if (type == RingEventType.UNKNOWN) {
            return new TraceEvent.Unknown(
                    (int) words[at + 2],
                    words[at + 1],
                    TraceEvent.Unknown.EVENT,
                    words[at] & 0xffff);
        }
        if (!type.inTraces()) {
            throw reader.malformed("event " + type + ", which has no place in a trace");
        }
        if (context.words < EVENT_WORDS || context.words > EVENT_WORDS + MOST_CALLERS) {
            throw reader.malformed(
                    "template " + context.number + " of " + context.words + " words");
        }
        if (words[at] >>> 16 != context.words - EVENT_WORDS) {
            throw reader.malformed("ring event with head 0x" + Long.toHexString(words[at]) + " and "
                    + context.words + " words");
        }
        long code = context.words == EVENT_WORDS ? 0 : words[at + EVENT_WORDS];
        return TraceEvent.of(
                type,
                (int) words[at + 2],
                words[at + 1],
                words[at + 3],
                words[at + 4],
                words[at + 5],
                words[at + 6],
                "",
                code);
    }
}
