package dev.madt.trace.codec;

import java.io.IOException;

/**
 * Takes the frames of one process's trace in order. The writer of trace files is one, the decoder
 * that feeds consumers another: lines streamed while the target runs and lines printed from a file
 * go the same way.
 */
public interface FrameSink extends AutoCloseable {
    void frame(Frame frame) throws IOException;

    /** Ends the trace; a writer adds its index. */
    @Override
    void close() throws IOException;
}
