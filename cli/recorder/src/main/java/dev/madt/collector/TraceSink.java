package dev.madt.collector;

import dev.madt.console.OutputName;
import dev.madt.session.MemoryLimit;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.file.TraceWriter;
import dev.madt.view.top.TopProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Takes the frames of one process to where they go: a trace file, lines, or both. When the lines
 * cannot be written any more, the file goes on alone.
 */
final class TraceSink implements FrameSink {
    private static final int MOST_HELD = 16;
    private static final int MOST_BYTES_HELD = 1 << 17;
    /** Time for which samples are taken once counting is behind. */
    private static final long SAMPLED_NANOS = 10_000_000_000L;

    private volatile Path file;
    private final TraceWriter writer;
    private final WriteQueue queue;
    private TraceDecoder lines;
    private final RunReports.Counted counted;
    private final TopProcesses.Counted top;
    private final IOException refusal;
    /** Frames that have not been handed over. */
    private final List<Frame> held = new ArrayList<>();

    private int bytesHeld;
    /** Says whether only the number of frames counts that have not been handed over. */
    private boolean holds;

    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile IOException writeFailure;
    private volatile long savedAccesses;
    private volatile long size;
    private volatile long sampledUntil = System.nanoTime();
    private IOException linesFailure;
    private long endedAccesses;

    /**
     * @param file null without a trace file
     * @param writer null without a trace file, or when it could not be made
     * @param queue where frames wait for the writer
     * @param lines null without lines
     * @param counted what the lines are counted in, or null
     * @param top who counts what is written for a live screen, or null
     * @param refusal why the file could not be made, or null
     */
    TraceSink(
            Path file,
            TraceWriter writer,
            WriteQueue queue,
            TraceDecoder lines,
            RunReports.Counted counted,
            TopProcesses.Counted top,
            IOException refusal) {
        this.file = file;
        this.writer = writer;
        this.queue = queue;
        this.lines = lines;
        this.counted = counted;
        this.top = top;
        this.refusal = refusal;
    }

    /** Null without a trace file; the name that it had when it was closed, once it is. */
    Path file() {
        return file;
    }

    /** The name that the file has by now; null without a file, or if it has been removed. */
    Path place() {
        return writer == null ? null : writer.place();
    }

    /** The report of the process, or null. */
    RunReports.Counted counted() {
        return counted;
    }

    /** Returns whether there is a trace file, or was until it could not be written. */
    boolean saves() {
        return writer != null;
    }

    /** Why the file could not be made, or null. */
    IOException failure() {
        return refusal;
    }

    /** Why it could not be written, or null. */
    IOException writeFailure() {
        return writeFailure;
    }

    /** Why lines stopped, or null. */
    IOException linesFailure() {
        return linesFailure;
    }

    /** Accesses in the file by now; those printed if there is no file. */
    long savedAccesses() {
        return usesQueue() ? savedAccesses : lines != null ? lines.accesses() : endedAccesses;
    }

    /** Bytes in the file by now; 0 without one. */
    long size() {
        return size;
    }

    @Override
    public void frame(Frame frame) throws IOException {
        if (lines != null) {
            print(frame);
        }
        if (refusal != null && lines == null) {
            throw refusal;
        }
        if (writeFailure != null) {
            throw writeFailure;
        }
        if (!usesQueue()) {
            return;
        }
        held.add(frame);
        bytesHeld += frame.payload().remaining();
        if (held.size() == MOST_HELD
                || !holds && bytesHeld >= MOST_BYTES_HELD
                || !queue.takesSeveral()) {
            handOver();
        }
    }

    /** Returns whether frames go on to the writer's thread. */
    private boolean usesQueue() {
        return writer != null || top != null;
    }

    /**
     * Notes that what comes is the last: it is handed over to the writer's thread together, with
     * the end of the file, unless its size is to be known before.
     */
    void hold() {
        holds = true;
    }

    /** Has all frames written that have been held back. */
    void handOver() throws IOException {
        List<Frame> frames = List.copyOf(held);
        held.clear();
        bytesHeld = 0;
        if (frames.stream().anyMatch(frame -> frame.type() == FrameType.EVENTS)) {
            queue.put(() -> frames.forEach(this::write));
        } else if (!frames.isEmpty()) {
            queue.add(() -> frames.forEach(this::write));
        }
    }

    /** In the writer's thread. */
    private void write(Frame frame) {
        try {
            if (writeFailure == null && writer != null) {
                writer.hurry(queue.isLong());
                writer.frame(frame);
                savedAccesses = writer.accesses();
                size = writer.size();
            }
            if (writeFailure == null && top != null) {
                count(frame);
            }
        } catch (IOException e) {
            writeFailure = e;
        } catch (OutOfMemoryError e) {
            writeFailure = new MemoryLimit(e);
        } catch (RuntimeException | Error e) { // else it would be this thread that ends, unheard
            writeFailure = new IOException("the trace cannot be written: " + e, e);
        }
    }

    private void count(Frame frame) throws IOException {
        try {
            boolean behind = queue.isLong();
            top.frame(frame, behind);
            sampledUntil = behind ? System.nanoTime() + SAMPLED_NANOS : sampledUntil;
            savedAccesses = writer == null ? top.accesses() : savedAccesses;
        } catch (RuntimeException e) {
            throw new IOException("what was recorded cannot be counted: " + e, e);
        }
    }

    /**
     * Returns whether records are only counted, and samples of them looked up: nobody keeps them,
     * and there are, or have just been, more than can be looked up.
     */
    boolean samples() {
        return writer == null && lines == null && sampledUntil - System.nanoTime() > 0;
    }

    /** Returns whether the disk is behind, so that the next frame of events should wait. */
    boolean isBehind() {
        return usesQueue() && queue.isFull();
    }

    /** Waits until the file has every frame. */
    void await() throws IOException {
        if (usesQueue()) {
            handOver();
            queue.await();
        }
    }

    private void print(Frame frame) throws IOException {
        try {
            lines.frame(frame);
        } catch (UncheckedIOException e) {
            failLines(e.getCause());
        } catch (IOException e) {
            failLines(e);
        } catch (OutOfMemoryError e) {
            failLines(new MemoryLimit(e));
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
            endedAccesses = lines.accesses();
            lines = null; // with all that it knows of the process
        } catch (UncheckedIOException e) {
            failLines(e.getCause());
        }
    }

    /**
     * Has the file closed when it has every frame; {@link #writeFailure} says how that went, once
     * {@link #isClosed} is true.
     *
     * @param whole false: it is to read as truncated
     */
    void closeSoon(boolean whole) throws IOException {
        if (!usesQueue()) {
            closed.countDown();
            return;
        }
        handOver();
        queue.add(() -> close(whole));
    }

    /** In the writer's thread. */
    private void close(boolean whole) {
        try {
            if (top != null) {
                top.end();
            }
            if (writer != null) {
                closeFile(whole);
            }
        } finally {
            closed.countDown();
        }
    }

    private void closeFile(boolean whole) {
        try {
            if (whole && writeFailure == null) {
                writer.close();
            } else {
                writer.abandon();
            }
        } catch (IOException e) {
            writeFailure = writeFailure == null ? e : writeFailure;
        } catch (RuntimeException | Error e) {
            writeFailure = new IOException("the trace cannot be closed: " + e, e);
        }
        follow();
    }

    /** Takes the name that the file had in the end, if any; in the writer's thread. */
    private void follow() {
        if (file.equals(OutputName.STANDARD)) {
            return;
        }
        Path place = writer.place();
        if (place == null) {
            writeFailure = new IOException("the file was removed or replaced while it was written");
            savedAccesses = 0;
        } else {
            file = place;
        }
    }

    /** Returns whether the file is closed. */
    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits until the file is closed, but not longer than so many milliseconds. */
    void awaitClosed(long millis) throws IOException {
        WriteQueue.await(() -> closed.await(millis, TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() throws IOException {
        closeSoon(true);
        await();
        if (writeFailure != null) {
            throw writeFailure;
        }
    }
}
