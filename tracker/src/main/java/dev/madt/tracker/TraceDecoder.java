package dev.madt.tracker;

import java.io.IOException;

/** Decodes frames and calls a consumer. */
public final class TraceDecoder implements FrameSink {
    public TraceDecoder(EventConsumer consumer) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void frame(Frame frame) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** Tells the consumer, once, that the trace is at its end. */
    public void end(boolean complete) {
        throw new UnsupportedOperationException("not yet");
    }

    /** {@code end(false)} unless {@link #end} was called. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("not yet");
    }

    /** Loads and stores; a modify counts as two. */
    public long accesses() {
        throw new UnsupportedOperationException("not yet");
    }

    public long loads() {
        throw new UnsupportedOperationException("not yet");
    }

    public long stores() {
        throw new UnsupportedOperationException("not yet");
    }

    public long blocks() {
        throw new UnsupportedOperationException("not yet");
    }

    /** Allocation events that have a line. */
    public long allocations() {
        throw new UnsupportedOperationException("not yet");
    }
}
