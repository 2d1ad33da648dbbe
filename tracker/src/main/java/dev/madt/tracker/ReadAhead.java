package dev.madt.tracker;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Reads a trace on a thread of its own: reads, checks, unpacks and decodes, a bounded number of parts ahead of whoever takes them. The parts
 * come in the order of the trace. One thread may take them.
 */
public final class ReadAhead implements AutoCloseable {
    private static final TracePart END = new DefinitionPart(null, null, 0);

    private final TraceReader reader;
    private final long from;
    private final BlockingQueue<TracePart> ready;
    private final BlockingQueue<RunColumns> free;
    private final Thread thread = new Thread(this::read, "reading");
    private volatile boolean closed;
    private boolean complete;
    private Throwable failure;

    /**
     * @param ahead parts in memory at most; a part of runs takes about 1 MiB
     * @param from of what comes before the access or block event with this number, whole frames without ring events may be left out, unread
     */
    public ReadAhead(TraceReader reader, int ahead, long from) {
        this.reader = reader;
        this.from = from;
        ready = new ArrayBlockingQueue<>(ahead);
        free = new ArrayBlockingQueue<>(ahead);
        for (int i = 0; i < ahead; i++) {
            free.add(new RunColumns());
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try {
            complete = reader.read(new Parts());
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        try {
            if (!closed) {
                ready.put(END);
            }
        } catch (InterruptedException e) {
            // closed: nobody waits for the end
        }
    }

    /**
     * The next part, which is the caller's until {@link #release}; null behind the last one.
     *
     * @throws IOException what {@link TraceReader#read} throws, behind the parts in front of it
     */
    public TracePart next() throws IOException {
        TracePart part = take();
        if (part != END) {
            return part;
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return null;
    }

    private TracePart take() throws IOException {
        try {
            return ready.take();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while reading");
        }
    }

    /** Gives the memory of a part back. */
    public void release(TracePart part) {
        if (part instanceof RunColumns columns) {
            free.add(columns);
        }
    }

    /** Whether the trace is complete; known when {@link #next} has returned null. */
    public boolean complete() {
        return complete;
    }

    /** Stops reading; the reader is not closed. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes parts of frames. */
    private final class Parts implements FrameSink {
        private final EventsDecoder events = new EventsDecoder();

        @Override
        public void frame(Frame frame) throws IOException {
            try {
                switch (frame.type()) {
                    case RUNS -> RunsFrame.decode(frame, events::define);
                    case EVENTS -> events(frame);
                    default -> ready.put(new DefinitionPart(frame, reader.name(), reader.frameStart()));
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException("closed");
            }
        }

        private void events(Frame frame) throws TraceFormatException, InterruptedException {
            events.begin(frame);
            boolean more = !events.passOver(from);
            while (more) {
                RunColumns columns = free.take();
                try {
                    more = columns.fill(events);
                } finally {
                    ready.put(columns);
                }
            }
        }

        @Override
        public void close() {}
    }
}
