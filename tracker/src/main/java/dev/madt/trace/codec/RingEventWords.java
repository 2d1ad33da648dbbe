package dev.madt.trace.codec;

import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.layout.SharedLayout;

/**
 * Ring events as they stand in EVTS frames, in full or in their short form. Not for use by several
 * threads.
 */
public final class RingEventWords {
    private static final int EVENT_WORDS = 7;
    /** Code words of a ring event; more than one is not written yet. */
    private static final int MOST_CALLERS = 8;

    private final AllocationWords shortForms = new AllocationWords();

    /** A frame begins. */
    public void begin() {
        shortForms.begin();
    }

    /** Whether runs of this number are ring events in the frame that a reader has begun. */
    static boolean isRingEvent(RunReader reader, int run) {
        return run == SharedLayout.RUN_EVENT
                || (reader.isOld()
                        ? AllocationWords.words(run) >= 0
                        : run == SharedLayout.RUN_SITE);
    }

    /**
     * The event of the run at hand; every event of a frame must be taken, in their order.
     *
     * @return null if the run is none
     * @throws TraceFormatException if it is malformed
     */
    public RingEvent take(RunReader reader) throws TraceFormatException {
        return isRingEvent(reader, reader.run())
                ? decode(reader, reader.context(), reader.words(), 0)
                : null;
    }

    /** Whether one may be in the frame that a reader has just begun; false is certain. */
    static boolean mayBeIn(RunReader reader) {
        for (int run = 0; run < SharedLayout.RUN_FIRST_MODULE; run++) {
            if (isRingEvent(reader, run) && reader.mayHave(run)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The event of the run at hand, one of those that {@link #isRingEvent} names.
     *
     * @throws TraceFormatException if it is malformed
     */
    RingEvent decode(RunReader reader, RunContext context, long[] words, int at)
            throws TraceFormatException {
        if (context.number != SharedLayout.RUN_EVENT) {
            RingEvent event = inShort(reader, context, words, at);
            if (event == null) {
                throw reader.malformed(
                        "run " + context.number + ", which says nothing that is possible here");
            }
            return event;
        }
        RingEvent event = inFull(reader, context, words, at);
        shortForms.plain(event);
        return event;
    }

    /** The event in a short form; null if no writer can have written this. */
    private RingEvent inShort(RunReader reader, RunContext context, long[] words, int at) {
        if (!reader.isOld()) {
            return shortForms.decode(
                    context.site, reader.epoch(), reader.moved(), reader.allocations());
        }
        return context.words == AllocationWords.words(context.number)
                ? shortForms.decodeWords(context.number, reader.epoch(), words, at)
                : null;
    }

    private static RingEvent inFull(RunReader reader, RunContext context, long[] words, int at)
            throws TraceFormatException {
        if (context.words < EVENT_WORDS || context.words > EVENT_WORDS + MOST_CALLERS) {
            throw reader.malformed("run " + context.number + " of " + context.words + " words");
        }
        RingEventType type = type(reader, (int) words[at] & 0xffff);
        if (words[at] >>> 16 != context.words - EVENT_WORDS) {
            throw reader.malformed("ring event with head 0x" + Long.toHexString(words[at]) + " and "
                    + context.words + " words");
        }
        long code = context.words == EVENT_WORDS ? 0 : words[at + EVENT_WORDS];
        return new RingEvent(
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

    private static RingEventType type(RunReader reader, int code) throws TraceFormatException {
        RingEventType type;
        try {
            type = RingEventType.of(code);
        } catch (IllegalArgumentException e) {
            throw reader.malformed("unknown event type " + code);
        }
        if (!EventsFrame.belongs(type)) {
            throw reader.malformed("event " + type + ", which has no place in a trace");
        }
        return type;
    }
}
