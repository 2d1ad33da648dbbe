package dev.madt.tracker;

import java.io.IOException;
import java.nio.file.Path;

/** Reads a trace file from front to back. */
public final class TraceReader implements AutoCloseable {
    public TraceReader(Path file) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** Feeds every whole frame but the index; true if the trace is complete. Does not close the sink. */
    public boolean read(FrameSink sink) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** Why the trace is not complete and at which byte; null if it is. */
    public String incompleteness() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The index, or null before {@link #read} and for an incomplete trace. */
    public TraceIndex index() {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException("not yet");
    }
}
