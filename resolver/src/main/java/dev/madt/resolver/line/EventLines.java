package dev.madt.resolver.line;

import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.RecordedInstruments;
import dev.madt.tracker.TraceClock;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes the lines of events that are printed by their words alone, as madt_events.schema types
 * them. A new type of events needs nothing here.
 */
final class EventLines {
    private static final byte[] NOTHING = "(nil)".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TIME = "t=".getBytes(StandardCharsets.US_ASCII);

    private final LineBuffer line;
    private final LineOptions options;
    private final AddressSpace space;
    private final DataNames names;
    private final SourcePlaces places;
    private final RecordedInstruments instruments = new RecordedInstruments();
    private final StackLines stacks;
    private final long[] numbers = new long[RingEventType.values().length];

    EventLines(
            LineBuffer line,
            LineOptions options,
            AddressSpace space,
            DataNames names,
            SourcePlaces places) {
        this.line = line;
        this.options = options;
        this.space = space;
        this.names = names;
        this.places = places;
        this.stacks = new StackLines(space);
    }

    static String letters() {
        StringBuilder letters = new StringBuilder();
        RingEventType.printedByWords().forEach(type -> letters.append(type.letter()));
        return letters.toString();
    }

    /** Takes what META frames tell. */
    void meta(Map<String, String> values) {
        instruments.meta(values);
    }

    /**
     * Counts an event, and writes its lines if it is shown.
     *
     * @param clock null: times stay ticks
     */
    void event(TraceEvent event, TraceClock clock, boolean shown) {
        long number = ++numbers[event.type().ordinal()];
        RecordedInstruments.Said said =
                event.type() == RingEventType.INSTRUMENT_HIT ? instruments.said(event) : null;
        if (shown && options.symbolic() && said != null) {
            head(event, '$', number);
            line.text(said.text().getBytes(StandardCharsets.UTF_8));
            line.character(',');
            space.appendCode(line, event.code());
            places.appendOwn(line, event.code());
            if (said.calls() > 0) {
                stacks.append(line, said.stack(), said.calls());
            }
            line.endLine();
        } else if (shown && options.symbolic()) {
            head(event, '$', number);
            for (EventWord word : event.type().words()) {
                symbolic(word.type(), word.of(event), clock);
                line.character(',');
            }
            end(event);
        }
        if (shown && options.raw()) {
            head(event, '#', number);
            for (EventWord word : event.type().words()) {
                raw(word.type(), word.of(event));
                line.character(',');
            }
            end(event);
        }
    }

    /** Follows an event that has no line. */
    void follow(TraceEvent event) {
        if (event instanceof TraceEvent.ChainNode node) {
            stacks.take(node);
        } else {
            instruments.takes(event);
        }
    }

    private void head(TraceEvent event, char form, long number) {
        line.pair(event.type().letter(), form);
        line.decimal(number);
        line.character(':');
    }

    private void symbolic(EventWord.Type type, long value, TraceClock clock) {
        if (type == EventWord.Type.CODE) {
            space.appendCode(line, value);
        } else if (type == EventWord.Type.ADDRESS && value == 0) {
            line.text(NOTHING);
        } else if (type == EventWord.Type.ADDRESS) {
            names.append(line, value, 0);
        } else if (type == EventWord.Type.TICKS && clock != null) {
            line.text(TIME);
            line.decimal(clock.time(value));
        } else if (type == EventWord.Type.DURATION && clock != null) {
            line.decimal(clock.span(value));
        } else {
            raw(type, value);
        }
    }

    private void raw(EventWord.Type type, long value) {
        switch (type) {
            case ADDRESS -> line.hexadecimal(value);
            case CODE -> line.hexadecimal(CodeWord.address(value));
            case TEXT -> line.text(EventWord.text(value).getBytes(StandardCharsets.US_ASCII));
            default -> line.decimal(value);
        }
    }

    /** Takes back the comma behind the last word. */
    private void end(TraceEvent event) {
        line.back();
        places.appendOwn(line, event.code());
        line.endLine();
    }
}
