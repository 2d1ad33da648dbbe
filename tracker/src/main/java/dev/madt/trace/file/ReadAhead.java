package dev.madt.trace.file;

import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.codec.EventsDecoder;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.RecordColumns;
import dev.madt.trace.codec.TemplateTable;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.codec.TracePart;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.UnknownCode;
import dev.madt.trace.layout.EventsLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * Reads a trace on threads of its own: one reads, checks and unpacks frames, others decode them, a
 * bounded number of frames ahead of whoever takes the parts. The parts come in the order of the
 * trace, and are the same however many threads there are. One thread may take them.
 */
public final class ReadAhead implements AutoCloseable {
    /** The taker cannot keep up with more. */
    private static final int MOST_DECODERS = 8;
    /** Definitions between frames of events. */
    private static final int DEFINITIONS = 64;

    private final TraceReader reader;
    private final long from;
    private final Predicate<AccessSite> wanted;
    private final UnknownCode unknown = new UnknownCode();
    /** Parts and tasks in the order of the trace; this object is the end. */
    private final BlockingQueue<Object> ready;

    private final BlockingQueue<FrameTask> free;
    private final BlockingQueue<FrameTask> undecoded = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private FrameTask current;
    private boolean complete;
    private Throwable failure;

    /**
     * @param processors how many there are for this and for the taker
     * @param from of what comes before the access or bulk transfer with this number, whole frames
     *     without ring events may be left out, unread
     */
    public ReadAhead(TraceReader reader, int processors, long from) {
        this(reader, processors, from, site -> true);
    }

    /**
     * As above.
     *
     * @param wanted of records none of whose sites is wanted, only the number of accesses is told
     *     ({@link dev.madt.trace.event.EventConsumer#passed}); asked by another thread
     */
    public ReadAhead(TraceReader reader, int processors, long from, Predicate<AccessSite> wanted) {
        this.reader = reader;
        this.from = from;
        this.wanted = wanted;
        int decoders = Math.max(1, Math.min(MOST_DECODERS, processors - 1));
        ready = new ArrayBlockingQueue<>(decoders + 1 + DEFINITIONS);
        free = new ArrayBlockingQueue<>(decoders + 1);
        for (int i = 0; i <= decoders; i++) {
            free.add(new FrameTask());
        }
        start("reading", this::read);
        for (int i = 0; i < decoders; i++) {
            start("decoding", this::decode);
        }
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void read() {
        try {
            complete = reader.read(new Tasks());
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        try {
            ready.put(this);
        } catch (InterruptedException e) {
            // closed: nobody waits for the end
        }
    }

    private void decode() {
        EventsDecoder events = new EventsDecoder(unknown);
        try {
            while (true) {
                undecoded.take().decode(events, from);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /**
     * The next part, which is the caller's until {@link #release}; null behind the last one.
     *
     * @throws IOException what {@link TraceReader#read} throws, behind the parts in front of it
     */
    public TracePart next() throws IOException {
        try {
            while (true) {
                TracePart part = current == null ? null : current.next();
                if (part != null) {
                    return part;
                }
                if (current != null) {
                    free.add(current);
                    current = null;
                }
                Object next = ready.take();
                if (next == this) {
                    rethrow(failure);
                    return null;
                }
                if (next instanceof TracePart definition) {
                    return definition;
                }
                current = (FrameTask) next;
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while reading");
        }
    }

    /** Throws what another thread met, unless it is null. */
    static void rethrow(Throwable met) throws IOException {
        if (met instanceof IOException e) {
            throw e;
        }
        if (met instanceof RuntimeException e) {
            throw e;
        }
        if (met instanceof Error e) {
            throw e;
        }
    }

    /** Gives the memory of a part back. */
    public void release(TracePart part) {
        if (part instanceof RecordColumns columns) {
            columns.release();
        }
    }

    /** Returns whether the trace is complete; known when {@link #next} has returned null. */
    public boolean complete() {
        return complete;
    }

    /** Stops reading; the reader is not closed. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes parts and tasks of frames. */
    private final class Tasks implements FrameSink {
        private TemplateTable templates = new TemplateTable();
        private boolean given;
        private long next;

        @Override
        public void frame(Frame frame) throws IOException {
            try {
                switch (frame.type()) {
                    case TEMPLATES -> define(frame);
                    case EVENTS -> events(frame);
                    default ->
                        ready.put(new DefinitionPart(frame, reader.name(), reader.frameStart()));
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException("closed");
            }
        }

        /** Frames that are being decoded keep the templates that they have. */
        private void define(Frame frame) throws TraceFormatException {
            templates = given ? templates.copy() : templates;
            given = false;
            TemplatesFrame.decode(
                    frame, (template, sites) -> templates.put(template(template, sites)));
        }

        private RecordTemplate template(int number, AccessSite[] sites) {
            return Arrays.stream(sites).anyMatch(wanted)
                    ? new RecordTemplate(number, sites)
                    : RecordTemplate.unwanted(number, sites);
        }

        private void events(Frame frame) throws InterruptedException {
            FrameTask task = free.take();
            task.begin(frame, templates, next, reader, reader.frameStart());
            given = true;
            if (frame.payload().remaining() >= EventsLayout.HEAD_BYTES) {
                next += EventCounts.of(frame).numbered();
            }
            ready.put(task);
            undecoded.put(task);
        }

        @Override
        public void close() {}
    }
}
