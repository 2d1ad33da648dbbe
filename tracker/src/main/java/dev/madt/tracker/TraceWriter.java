package dev.madt.tracker;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Writes a trace file. */
public final class TraceWriter implements FrameSink {
    /** @throws java.nio.file.FileAlreadyExistsException if the file exists and is not to be overwritten */
    public TraceWriter(Path file, boolean overwrite) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** @param name what messages call it, for instance "standard output" */
    public TraceWriter(OutputStream out, String name) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void frame(Frame frame) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** What the index will say, in place of the writer's own count. */
    public void totals(long accesses, long blocks, long allocations) {
        throw new UnsupportedOperationException("not yet");
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException("not yet");
    }
}
