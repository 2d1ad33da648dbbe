package dev.madt.trace.file;

import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.layout.TraceLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;

/**
 * Reads a trace file (docs/FORMAT.md) from front to back, one frame in memory at a time. Lengths
 * are bounded and checksums checked before anything is believed, so that no file, however damaged,
 * costs more than a few frames of memory.
 *
 * <p>A file that is no trace, is empty, has another version or whose first frame is damaged is
 * refused. A file cut off or damaged later is read up to there, {@link #read} returns false, and
 * {@link #incompleteness} says why.
 */
public final class TraceReader implements AutoCloseable {
    private final InputStream in;
    private final String name;
    private final FrameInput frames;
    private int features;
    private final LongAdder skipped = new LongAdder();
    private TraceIndex index;
    private String incompleteness;
    private boolean damaged;

    /**
     * Opens a file and checks its header.
     *
     * @throws TraceFormatException if it is no trace that can be read
     */
    public TraceReader(Path file) throws IOException {
        this(Files.newInputStream(file), file.toString());
    }

    /**
     * Reads from a stream, which is closed with this reader.
     *
     * @param name what messages call it, for instance "standard input"
     */
    public TraceReader(InputStream in, String name) throws IOException {
        this.in = in;
        this.name = name;
        this.frames = new FrameInput(in);
        try {
            header();
        } catch (IOException e) {
            close();
            throw e instanceof TraceFormatException
                    ? e
                    : new IOException("cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    /**
     * Feeds every whole frame but the index to the sink, once, and does not close it.
     *
     * @return whether the trace is complete: its index is the last frame and nothing is behind it
     * @throws TraceFormatException if the first frame is damaged, or a payload is not what the
     *     format says
     */
    public boolean read(FrameSink sink) throws IOException {
        return read(sink, offset -> true);
    }

    /** As {@link #read(FrameSink)}, but passes over frames of events, unchecked. */
    public boolean readDefinitions(FrameSink sink) throws IOException {
        return read(sink, offset -> false);
    }

    /**
     * As {@link #read(FrameSink)}, but EVTS frames are passed over, unchecked, if they begin at a
     * byte of the file that is not wanted.
     */
    boolean read(FrameSink sink, LongPredicate wanted) throws IOException {
        try {
            Frame frame = frames.next(wanted);
            while (frame != null && frame.type() != FrameType.INDEX) {
                give(frame, sink);
                frame = frames.next(wanted);
            }
            return frame == null ? incomplete("the file ends without an index") : complete(frame);
        } catch (FrameInput.BadFrameException e) {
            if (frames.count() == 0 && !e.cut()) {
                throw new TraceFormatException(at(frames.start()) + e.getMessage()
                        + ". It is the first, nothing can be read; record again");
            }
            damaged = !e.cut();
            return incomplete(e.getMessage());
        }
    }

    private void give(Frame frame, FrameSink sink) throws IOException {
        try {
            sink.frame(frame);
        } catch (TraceFormatException e) {
            throw e.in(name, frames.start());
        }
    }

    private boolean complete(Frame frame) throws IOException {
        TraceIndex found;
        try {
            found = TraceIndex.decode(frame);
        } catch (TraceFormatException e) {
            damaged = true;
            return incomplete("the index is malformed: " + e.getMessage());
        }
        damaged = true; // unless all that follows agrees
        long before = frames.count() - 1;
        if (found.frames() != before) {
            return incomplete("the index counts " + found.frames() + " frames, " + before
                    + " are in front of it");
        }
        if (!frames.atEnd()) {
            return incomplete("there is something behind the index");
        }
        damaged = false;
        index = found;
        return true;
    }

    private boolean incomplete(String cause) {
        incompleteness = at(frames.start()) + cause;
        return false;
    }

    /**
     * Returns whether the trace is no beginning of a whole one, as a recorder leaves that was
     * killed: bytes of it are wrong.
     */
    public boolean isDamaged() {
        return damaged;
    }

    private void header() throws IOException {
        byte[] header = new byte[TraceLayout.HEADER_BYTES];
        int got = frames.read(header, header.length);
        if (got == 0) {
            throw new TraceFormatException(
                    at(0) + "the file is empty: its recording never began. Record again");
        }
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int magic = Math.min(got, TraceLayout.VERSION_AT);
        if (!Arrays.equals(header, 0, magic, TraceLayout.magic(), 0, magic)) {
            throw new TraceFormatException(at(0) + "not a MadT trace, it begins with "
                    + HexFormat.ofDelimiter(" ").formatHex(header, 0, magic)
                    + ". 'madt run -o FILE -- PROGRAM' makes a trace");
        }
        if (got < header.length) {
            throw new TraceFormatException(
                    at(got) + "the file ends inside its header. Record again");
        }
        int version = fields.getShort(TraceLayout.VERSION_AT) & 0xffff;
        features = fields.getInt(TraceLayout.FEATURES_AT);
        int unknown = features & TraceLayout.FEATURES_ESSENTIAL;
        if (version != TraceLayout.VERSION || unknown != 0) {
            throw new TraceFormatException(at(TraceLayout.VERSION_AT) + "trace version " + version
                    + (unknown == 0 ? "" : " with features 0x" + Integer.toHexString(unknown))
                    + ", this madt reads version " + TraceLayout.VERSION
                    + ". Read it with the madt that made it, or record again");
        }
    }

    /** Returns whether the trace may tell of functions that are entered and left. */
    public boolean hasCalls() {
        return (features & TraceLayout.CALLS) != 0;
    }

    /** Takes back the memory of a frame that {@link #read} has given. Several threads may do so. */
    void takeBack(Frame frame) {
        frames.takeBack(frame.payload().array());
    }

    /** So many events were skipped. Several threads may say so. */
    void skip(long events) {
        skipped.add(events);
    }

    /** Frames and events of kinds that are not known, as far as they have been decoded. */
    public long skipped() {
        return skipped.sum() + frames.unknown();
    }

    /** Returns what messages call the trace: its file's name. */
    public String name() {
        return name;
    }

    /** Returns where the frame at hand begins in the file. */
    public long frameStart() {
        return frames.start();
    }

    private String at(long offset) {
        return name + ", byte " + offset + ": ";
    }

    /**
     * Why the trace is not complete and at which byte of the file; null if it is, or has not been
     * read.
     */
    public String incompleteness() {
        return incompleteness;
    }

    /** The index; null if the trace has none or has not been read. */
    public TraceIndex index() {
        return index;
    }

    @Override
    public void close() throws IOException {
        try (in) {
            frames.close();
        }
    }
}
