package dev.madt.cli;

import dev.madt.tracker.Frame;
import dev.madt.tracker.FrameSink;
import dev.madt.tracker.TraceDecoder;
import dev.madt.tracker.TraceWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Where the frames of one process go: a trace file, lines, or both. When the lines cannot be written any more, the file goes
 * on alone.
 */
final class TraceFile implements FrameSink {
    private final Path file;
    private final TraceWriter writer;
    private TraceDecoder lines;
    private final IOException refusal;
    private IOException linesFailure;

    /**
     * @param file null without a trace file
     * @param writer null without a trace file, or when it could not be made
     * @param lines null without lines
     * @param refusal why the file could not be made, or null
     */
    TraceFile(Path file, TraceWriter writer, TraceDecoder lines, IOException refusal) {
        this.file = file;
        this.writer = writer;
        this.lines = lines;
        this.refusal = refusal;
    }

    Path file() {
        return file;
    }

    /** Whether there is a trace file, or was until it could not be written. */
    boolean saves() {
        return writer != null;
    }

    /** Why the file could not be made, or null. */
    IOException failure() {
        return refusal;
    }

    /** Why lines stopped, or null. */
    IOException linesFailure() {
        return linesFailure;
    }

    /** Accesses in the file by now; those printed if there is no file. */
    long savedAccesses() {
        return writer != null ? writer.accesses() : lines != null ? lines.accesses() : 0;
    }

    /** Bytes in the file by now; 0 without one. */
    long size() {
        return writer == null ? 0 : writer.size();
    }

    @Override
    public void frame(Frame frame) throws IOException {
        if (lines != null) {
            print(frame);
        }
        if (refusal != null && lines == null) {
            throw refusal;
        }
        if (writer != null) {
            writer.frame(frame);
        }
    }

    private void print(Frame frame) throws IOException {
        try {
            lines.frame(frame);
        } catch (UncheckedIOException e) {
            failLines(e.getCause());
        } catch (IOException e) {
            failLines(e);
        }
    }

    private void failLines(IOException e) throws IOException {
        linesFailure = e;
        lines = null;
        if (writer == null) {
            throw e;
        }
    }

    /** Ends the lines; {@code complete} is false after losses. */
    void endLines(boolean complete) throws IOException {
        if (lines == null) {
            return;
        }
        try {
            lines.end(complete);
        } catch (UncheckedIOException e) {
            failLines(e.getCause());
        }
    }

    /** Closes the file so that it reads as truncated. */
    void abandon() throws IOException {
        if (writer != null) {
            writer.abandon();
        }
    }

    @Override
    public void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
