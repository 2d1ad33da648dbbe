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
import java.util.HashMap;
import java.util.Map;

/**
 * Gives a consumer all definitions of a trace and the first records of some of its EVTS frames,
 * which lie evenly between the first and the last one. The time hardly grows with the trace.
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

    /** Words that are given from a frame, and from all frames where these are few. */
    private static final int WORDS = 1 << 11;

    private static final int WORDS_OF_ALL = 1 << 15;

    private final TraceReader reader;
    /** The numbers of their first accesses, by where the frames begin. */
    private final Map<Long, Long> wanted;

    private final EventConsumer consumer;
    private final EventsDecoder events = new EventsDecoder();
    private final RecordColumns columns = new RecordColumns(unused -> {});
    private final TemplateTable templates = new TemplateTable();
    private boolean followed;
    private long decoded;

    private TraceSample(
            TraceReader reader, Map<Long, Long> wanted, boolean followed, EventConsumer consumer) {
        this.reader = reader;
        this.wanted = wanted;
        this.followed = followed;
        this.consumer = consumer;
    }

    /**
     * Reads a trace.
     *
     * @param index of the trace
     * @param pieces how many frames of events, at most
     * @return whether all ring events were given
     */
    public static boolean read(Path file, TraceIndex index, int pieces, EventConsumer consumer)
            throws IOException {
        try (TraceReader reader = new TraceReader(file)) {
            TraceSample sample = new TraceSample(
                    reader, wanted(index, pieces), index.frames() <= MOST_UNPACKED, consumer);
            consumer.end(reader.read(
                    sample, offset -> sample.followed || sample.wanted.containsKey(offset)));
            return sample.followed;
        }
    }

    private static Map<Long, Long> wanted(TraceIndex index, int pieces) {
        Map<Long, Long> wanted = new HashMap<>();
        int frames = index.offsets().length;
        for (int i = 0; i < pieces && frames > 0; i++) {
            int frame = (int) ((2L * i + 1) * frames / (2 * pieces));
            wanted.put(index.offsets()[frame], index.firsts()[frame]);
        }
        return wanted;
    }

    @Override
    public void frame(Frame frame) throws IOException {
        if (frame.type() == FrameType.TEMPLATES) {
            TemplatesFrame.decode(
                    frame, (template, sites) -> templates.put(new RecordTemplate(template, sites)));
        } else if (frame.type() == FrameType.EVENTS) {
            events(frame, wanted.get(reader.frameStart()));
        } else {
            DefinitionPart.decode(frame, consumer);
        }
    }

    private void events(Frame frame, Long number) throws TraceFormatException {
        boolean give = number != null;
        events.begin(frame, templates, 0);
        boolean skim = followed && !events.passOver(Long.MAX_VALUE);
        if (skim && decoded > MOST_DECODED) {
            followed = false;
            skim = false;
        }
        if (!give && !skim) {
            return;
        }
        events.begin(frame, templates, give ? number : 0);
        int words = Math.max(WORDS, WORDS_OF_ALL / wanted.size());
        boolean more = columns.fill(events, give ? words : Integer.MAX_VALUE);
        if (give) {
            columns.give(consumer);
        } else {
            columns.skim(consumer);
        }
        while (more && skim) {
            more = columns.fill(events);
            columns.skim(consumer);
        }
        decoded += skim ? EventCounts.of(frame).numbered() : 0;
    }

    @Override
    public void close() {}
}
