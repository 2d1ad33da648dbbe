package dev.madt.trace.codec;

import dev.madt.trace.event.BuiltInTemplates;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;

/**
 * Turns frames into the calls of a consumer: numbers accesses and bulk transfers from 0 in one
 * count (a modify is two), skips accesses that were not made, and counts. Memory grows with the
 * template table, not with the number of events; nothing is allocated for an access.
 *
 * <p>Reading a file: {@code decoder.end(reader.read(decoder))}.
 */
public final class TraceDecoder implements FrameSink {
    private final EventConsumer consumer;
    private final long from;
    private final EventsDecoder events = new EventsDecoder();
    private final long[] words = new long[EventsLayout.MOST_RECORD_WORDS];
    /** Null where each record is told by a call of its own. */
    private final RecordColumns columns;

    private boolean ended;

    public TraceDecoder(EventConsumer consumer) {
        this(consumer, 0);
    }

    /**
     * Tells records many at a time ({@link EventConsumer#rows}), which is faster, to a consumer
     * that only counts. Of frames that are in no file, it may be told how often a template was
     * instead ({@link RecordRows#isTimes}).
     */
    public static TraceDecoder counting(EventConsumer consumer) {
        TraceDecoder decoder = new TraceDecoder(consumer, 0, new RecordColumns(columns -> {}));
        decoder.events.takeTimes();
        return decoder;
    }

    /**
     * @param from number of an access or bulk transfer: of what comes before it, whole frames
     *     without ring events may be left out, unread
     */
    public TraceDecoder(EventConsumer consumer, long from) {
        this(consumer, from, null);
    }

    private TraceDecoder(EventConsumer consumer, long from, RecordColumns columns) {
        this.columns = columns;
        this.consumer = consumer;
        this.from = from;
    }

    /** @throws TraceFormatException if the payload is not what docs/FORMAT.md says */
    @Override
    public void frame(Frame frame) throws IOException {
        switch (frame.type()) {
            case TEMPLATES -> TemplatesFrame.decode(frame, events::define);
            case EVENTS -> events(frame);
            default -> DefinitionPart.decode(frame, consumer);
        }
    }

    private void events(Frame frame) throws TraceFormatException {
        events.begin(frame);
        if (events.passOver(from)) {
            return;
        }
        if (columns != null) {
            rows();
            return;
        }
        for (RecordTemplate template = events.next(words, 0);
                template != null;
                template = events.next(words, 0)) {
            if (template.isProbe()) {
                consumer.call(events.number(), events.thread(), template, words, 0);
            } else if (template.number() >= SharedLayout.TEMPLATE_FIRST_MODULE) {
                consumer.record(events.number(), events.thread(), template, words, 0);
            } else if (template.number() == SharedLayout.TEMPLATE_EVENT) {
                consumer.ring(events.ring());
            } else {
                BuiltInTemplates.give(
                        consumer, events.number(), events.thread(), template, words, 0);
            }
        }
    }

    private void rows() throws TraceFormatException {
        boolean more = true;
        while (more) {
            more = columns.fill(events);
            columns.give(consumer);
        }
    }

    /** Tells the consumer, once, that the trace is at its end. */
    public void end(boolean complete) {
        if (!ended) {
            ended = true;
            consumer.end(complete);
        }
    }

    /**
     * {@code end(false)} unless {@link #end} was called: a trace of which nobody says that it is
     * complete is not.
     */
    @Override
    public void close() {
        end(false);
    }

    /** Loads and stores; a modify counts as two. */
    public long accesses() {
        return events.loads() + events.stores();
    }

    public long loads() {
        return events.loads();
    }

    public long stores() {
        return events.stores();
    }

    /** Bulk transfers. */
    public long blocks() {
        return events.blocks();
    }

    /** Functions entered and left. */
    public long calls() {
        return events.calls();
    }

    /** Allocation events that have a line. */
    public long allocations() {
        return events.allocations();
    }

    /** The number that the next access or bulk transfer gets. */
    public long next() {
        return events.next();
    }
}
