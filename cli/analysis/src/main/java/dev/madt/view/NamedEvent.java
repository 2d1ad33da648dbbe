package dev.madt.view;

import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.TraceClock;
import java.util.List;

/**
 * An event that is printed by its words alone ({@link dev.madt.trace.event.RingEventType#words}),
 * with what they name. Views that show it so need know nothing of its type.
 *
 * @param number how many of its type there are, with this one
 * @param next the number that the next access or bulk transfer has
 * @param object what lies at its first address; null if it has none, or if events are not told one
 *     by one ({@link Needs#listsEvents})
 * @param call where the call stands; null without a code word
 * @param clock null if the trace has no times
 */
public record NamedEvent(
        TraceEvent event, long number, long next, DataObject object, Place call, TraceClock clock) {
    /** Returns the first of its words that has a type, or null. */
    public EventWord first(EventWord.Type type) {
        return event.type().first(type);
    }

    /** Returns the words that are not the first of any of these types, nor the code word. */
    public List<EventWord> besides(EventWord.Type... types) {
        List<EventWord> firsts = List.of(types).stream().map(this::first).toList();
        return event.type().words().stream()
                .filter(word -> !firsts.contains(word) && word.type() != EventWord.Type.CODE)
                .toList();
    }

    /** Returns a word as a number: of times nanoseconds, if the trace has a clock. */
    public long number(EventWord word) {
        long value = word.of(event);
        if (clock == null) {
            return value;
        }
        return switch (word.type()) {
            case TICKS -> clock.time(value);
            case DURATION -> clock.span(value);
            default -> value;
        };
    }

    /** Returns a word as people read it. */
    public String text(EventWord word) {
        long value = number(word);
        return switch (word.type()) {
            case ADDRESS, CODE -> "0x" + Long.toHexString(value);
            case TEXT -> EventWord.text(value);
            default -> Long.toUnsignedString(value);
        };
    }

    /** Returns whether it is in a selection. */
    boolean isIn(Selection selection, long window) {
        EventWord address = first(EventWord.Type.ADDRESS);
        return selection.wants(
                call,
                object,
                address == null ? 0 : address.of(event),
                event.type().letter(),
                event.thread(),
                next,
                window);
    }
}
