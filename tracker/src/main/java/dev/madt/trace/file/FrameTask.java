package dev.madt.trace.file;

import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.EventsDecoder;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.RecordColumns;
import dev.madt.trace.codec.TemplateTable;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.codec.TracePart;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * An EVTS frame that some thread decodes: its parts come in order, a bounded number of them ahead
 * of whoever takes them. Used again for frame after frame.
 */
public final class FrameTask {
    private static final int PARTS = 4;
    private static final TracePart END = new DefinitionPart(null, null, 0);

    private final BlockingQueue<TracePart> ready = new ArrayBlockingQueue<>(PARTS + 1);
    private final BlockingQueue<RecordColumns> free = new ArrayBlockingQueue<>(PARTS);
    private int made;
    private Frame frame;
    private TemplateTable templates;
    private long first;
    private TraceReader trace;
    private long offset;
    private Throwable failure;

    /**
     * Takes a frame; what it had before is consumed.
     *
     * @param known what the templates mean; does not change
     * @param number that of the first access or bulk transfer
     * @param from the trace, in which the frame begins at {@code start}
     */
    void begin(Frame events, TemplateTable known, long number, TraceReader from, long start) {
        frame = events;
        templates = known;
        first = number;
        trace = from;
        offset = start;
        failure = null;
    }

    /**
     * Decodes the frame; whole frames without ring events in front of the access {@code from} may
     * be left out.
     */
    void decode(EventsDecoder events, long from) throws InterruptedException {
        try {
            events.begin(frame, templates, first);
            boolean more = !events.passOver(from);
            while (more) {
                RecordColumns columns = takeFree();
                try {
                    more = columns.fill(events);
                } finally {
                    ready.put(columns);
                }
            }
        } catch (TraceFormatException e) {
            failure = e.in(trace.name(), offset);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        trace.skip(events.takeUnknown());
        trace.takeBack(frame);
        frame = null;
        templates = null;
        ready.put(END);
    }

    private RecordColumns takeFree() throws InterruptedException {
        RecordColumns columns = free.poll();
        if (columns == null && made < PARTS) {
            made++;
            return new RecordColumns(free::add);
        }
        return columns == null ? free.take() : columns;
    }

    /**
     * The next part, null behind the last one.
     *
     * @throws IOException if the frame is not what docs/FORMAT.md says, behind the parts in front
     *     of the fault
     */
    TracePart next() throws IOException, InterruptedException {
        TracePart part = ready.take();
        if (part != END) {
            return part;
        }
        ReadAhead.rethrow(failure);
        return null;
    }
}
