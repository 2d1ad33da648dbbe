package dev.madt.trace.file;

import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.codec.EventsDecoder;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.RecordColumns;
import dev.madt.trace.codec.TemplateTable;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Gives a consumer all definitions of a trace and the records of some places, which lie evenly over
 * its accesses and bulk transfers: each stands for as many as any other. The time hardly grows with
 * the trace.
 *
 * <p>Ring events, without which nobody knows the blocks, are given too as long as they stand in few
 * frames; {@link #followed} says whether all were. Behind the first one that is left out there are
 * none but those of the sample.
 */
public final class TraceSample implements FrameSink {
    /**
     * Of frames that are not in the sample, so many accesses may be decoded for the ring events
     * among them, and so many frames unpacked to look for some.
     */
    private static final long MOST_DECODED = 1_000_000;

    private static final long MOST_UNPACKED = 400;

    /** Rows or words that are given or passed over at once. */
    private static final int GRAIN = 1 << 7;

    private final TraceReader reader;
    private final TraceIndex index;
    /** The numbers that the places begin at, ascending. */
    private final long[] places;

    private final int span;
    private final EventConsumer consumer;
    private final EventsDecoder events = new EventsDecoder();
    private final RecordColumns columns = new RecordColumns(unused -> {});
    private final TemplateTable templates = new TemplateTable();
    private boolean followed;
    private long decoded;
    /** The number behind the last frame, where the index does not say it. */
    private long number;

    private TraceSample(
            TraceReader reader, TraceIndex index, int pieces, int span, EventConsumer consumer) {
        this.reader = reader;
        this.index = index;
        this.places = new long[pieces];
        for (int i = 0; i < pieces; i++) {
            places[i] = Math.max(0, (index.numbered() * (2L * i + 1) / pieces - span) / 2);
        }
        this.span = span;
        this.consumer = consumer;
        this.followed = index.frames() <= MOST_UNPACKED;
    }

    /**
     * Reads a trace.
     *
     * @param index of the trace
     * @param pieces how many places
     * @param span accesses and bulk transfers of each place; some more are given
     * @return whether all ring events were given
     */
    public static boolean read(
            Path file, TraceIndex index, int pieces, int span, EventConsumer consumer)
            throws IOException {
        try (TraceReader reader = new TraceReader(file)) {
            TraceSample sample = new TraceSample(reader, index, pieces, span, consumer);
            consumer.end(reader.read(sample, offset -> sample.followed || sample.isAt(offset)));
            return sample.followed;
        }
    }

    /** Returns whether a frame may have a part of a place; the index may leave out frames. */
    private boolean isAt(long offset) {
        int at = Arrays.binarySearch(index.offsets(), offset);
        int entry = at < 0 ? -at - 2 : at;
        return entry >= 0
                && isWanted(
                        index.firsts()[entry], index.numberedBefore(index.offsets()[entry] + 1));
    }

    private boolean isWanted(long from, long behind) {
        for (long place : places) {
            if (place < behind && from < place + span) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void frame(Frame frame) throws IOException {
        if (frame.type() == FrameType.TEMPLATES) {
            TemplatesFrame.decode(
                    frame, (template, sites) -> templates.put(new RecordTemplate(template, sites)));
        } else if (frame.type() == FrameType.EVENTS) {
            events(frame);
        } else {
            DefinitionPart.decode(frame, consumer);
        }
    }

    private void events(Frame frame) throws TraceFormatException {
        int entry = Arrays.binarySearch(index.offsets(), reader.frameStart());
        long first = entry < 0 ? number : index.firsts()[entry];
        long behind = first + EventCounts.of(frame).numbered();
        number = behind;
        events.begin(frame, templates, first);
        boolean skim = followed && !events.passOver(Long.MAX_VALUE);
        if (skim && decoded > MOST_DECODED) {
            followed = false;
            skim = false;
        }
        events.begin(frame, templates, first);
        boolean more = true;
        while (more && (skim || isWanted(events.next(), behind))) {
            long from = events.next();
            more = columns.fill(events, GRAIN);
            if (isWanted(from, events.next())) {
                columns.give(consumer);
            } else if (skim) {
                columns.skim(consumer);
            }
        }
        decoded += skim ? EventCounts.of(frame).numbered() : 0;
    }

    @Override
    public void close() {}
}
