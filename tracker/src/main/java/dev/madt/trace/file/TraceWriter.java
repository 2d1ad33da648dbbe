package dev.madt.trace.file;

import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FramePacker;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.TraceLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Writes a trace file (docs/FORMAT.md). Each frame is written as it comes, in one piece, so that
 * the file is readable up to its last whole frame whatever happens; the index behind the last one
 * is what makes it complete.
 *
 * <p>After an IOException nothing more is written: {@link #close} then adds no index, and the file
 * reads as truncated.
 */
public final class TraceWriter implements FrameSink {
    private static final int LEVEL = 1;
    /** Takes two thirds of the time, and a quarter more room. */
    private static final int HURRIED_LEVEL = -5;

    private final OutputStream out;
    private final String name;
    private int level = LEVEL;
    private final LongArrayList offsets = new LongArrayList();
    private final LongArrayList firsts = new LongArrayList();
    private TraceIndex totals;
    private long accesses;
    private long blocks;
    private long allocations;
    private long position;
    private long frames;
    private int pid;
    /** Nanoseconds that the last frame of events took to pack and to write. */
    private long packing;

    private long writing;
    private IOException failure;
    private boolean closed;
    /** Null where a stream was given. */
    private NamedFile named;

    private Path place;

    /**
     * Makes the file and writes its header. A pipe or a device that is there is written to.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists and is not to be
     *     overwritten
     * @throws IOException with the file's name if it cannot be written, or another writer is at it
     */
    public TraceWriter(Path file, boolean overwrite) throws IOException {
        this(file, overwrite, 0);
    }

    /** As above, of a trace with features of {@link TraceLayout}. */
    public TraceWriter(Path file, boolean overwrite, int features) throws IOException {
        this.out = open(file, overwrite);
        this.name = file.toString();
        try {
            begin(features);
        } catch (IOException e) {
            removeEmpty(file, e);
            throw e;
        }
        named = NamedFile.of(file);
        place = file;
    }

    /** Takes away a file that has no room for a header: nobody could read it. */
    private static void removeEmpty(Path file, IOException reason) {
        try {
            if (Files.isRegularFile(file) && Files.size(file) < TraceLayout.HEADER_BYTES) {
                Files.delete(file.toRealPath());
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /**
     * Writes to a stream, which is closed with this writer.
     *
     * @param name what messages call it, for instance "standard output"
     */
    public TraceWriter(OutputStream out, String name) throws IOException {
        this(out, name, 0);
    }

    /** As above, of a trace with features of {@link TraceLayout}. */
    public TraceWriter(OutputStream out, String name, int features) throws IOException {
        this.out = out;
        this.name = name;
        begin(features);
    }

    private void begin(int features) throws IOException {
        byte[] first = new byte[TraceLayout.HEADER_BYTES];
        ByteBuffer header = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(TraceLayout.MAGIC)
                .putShort((short) TraceLayout.VERSION)
                .putShort((short) 0)
                .putInt(features);
        try {
            write(first, first.length);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Writes a frame; an index is passed over, since this file gets its own.
     *
     * @throws IOException with the file's name if it cannot be written, for instance because the
     *     disk is full
     * @throws TraceFormatException if the frame is too large
     */
    @Override
    public void frame(Frame frame) throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (frame.type() == FrameType.INDEX) {
            return;
        }
        pid = frame.pid();
        long offset = position;
        long first = accesses + blocks;
        EventCounts counts = frame.type() == FrameType.EVENTS ? EventCounts.of(frame) : null;
        long begun = System.nanoTime();
        FramePacker packer = FramePacker.own();
        int length = pack(packer, frame);
        long packed = System.nanoTime();
        write(packer.packed(), length);
        frames++;
        if (counts != null) {
            packing = packed - begun;
            writing = System.nanoTime() - packed;
            offsets.add(offset);
            firsts.add(first);
            accesses += (long) counts.loads() + counts.stores();
            blocks += counts.blocks();
            allocations += counts.allocations();
        }
    }

    /**
     * Says whether frames wait for this one: then they are packed in less time, unless it is the
     * disk that they wait for.
     */
    public void hurry(boolean waiting) {
        level = waiting && packing > writing ? HURRIED_LEVEL : LEVEL;
    }

    /** Says what the index will say, in place of the writer's own count. */
    public void totals(long accesses, long blocks, long allocations) {
        totals = new TraceIndex(accesses, blocks, allocations, 0, new long[0], new long[0]);
    }

    /** Loads and stores in the frames written so far; a modify counts twice. */
    public long accesses() {
        return accesses;
    }

    /** Bulk transfers in the frames written so far. */
    public long blocks() {
        return blocks;
    }

    /**
     * Returns the name that the file has, or had when it was closed: it may have been renamed. Null
     * if somebody has removed it, and for a stream.
     */
    public Path place() {
        if (named != null && !closed) {
            place = named.place();
        }
        return place;
    }

    /** Bytes written so far. */
    public long size() {
        return position;
    }

    /**
     * Closes the file without an index: it will read as truncated. For a recording that went wrong
     * on the way here.
     */
    public void abandon() throws IOException {
        if (failure == null) {
            failure = new IOException("writing of " + name + " was given up");
        }
        close();
    }

    /** Adds the index, unless writing has failed, and closes the file. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        place();
        closed = true;
        try (out) {
            if (failure == null) {
                FramePacker packer = FramePacker.own();
                int length = pack(packer, index().build(pid, TraceLayout.MOST_RAW));
                write(packer.packed(), length);
                out.flush();
            }
        } catch (IOException e) {
            throw e == failure ? e : failed(e);
        }
    }

    private TraceIndex index() {
        return new TraceIndex(
                totals == null ? accesses : totals.accesses(),
                totals == null ? blocks : totals.blocks(),
                totals == null ? allocations : totals.allocations(),
                frames,
                offsets.toArray(),
                firsts.toArray());
    }

    /** Puts head and stored payload into the packer's array; returns their length. */
    private int pack(FramePacker packer, Frame frame) throws TraceFormatException {
        ByteBuffer payload = frame.payload();
        int raw = payload.remaining();
        if (raw > TraceLayout.MOST_RAW) {
            throw new TraceFormatException(
                    name + ", byte " + position + ": " + frame.type().tag() + " frame of " + raw
                            + " bytes, the most is " + TraceLayout.MOST_RAW);
        }
        byte[] bytes = packer.room(TraceLayout.HEAD_BYTES, raw);
        int from = payload.arrayOffset() + payload.position();
        int[] pieces =
                frame.type() == FrameType.EVENTS ? EventsLayout.pieces(payload) : new int[] {raw};
        int stored = packer.pack(level, payload.array(), from, pieces, TraceLayout.HEAD_BYTES);
        boolean smaller = stored < raw;
        if (!smaller) {
            stored = raw;
            System.arraycopy(payload.array(), from, bytes, TraceLayout.HEAD_BYTES, raw);
        }
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        head.put(frame.type().tag().getBytes(StandardCharsets.US_ASCII));
        head.putInt(frame.pid()).putInt(frame.tid()).putInt(raw).putInt(stored);
        head.putInt(smaller ? TraceLayout.FLAG_ZSTD : 0);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, TraceLayout.CHECKSUM_AT);
        crc.update(bytes, TraceLayout.HEAD_BYTES, stored);
        head.putInt((int) crc.getValue());
        return TraceLayout.HEAD_BYTES + stored;
    }

    private void write(byte[] bytes, int length) throws IOException {
        try {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw failed(e);
        }
        position += length;
    }

    private IOException failed(IOException cause) {
        failure = new IOException("cannot write " + name + ": " + cause.getMessage(), cause);
        return failure;
    }

    /** Opens a file, which nobody else may be writing. */
    private static OutputStream open(Path file, boolean overwrite) throws IOException {
        if (isSpecial(file)) {
            return Files.newOutputStream(file, StandardOpenOption.WRITE);
        }
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.WRITE,
                overwrite ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW);
        try {
            if (isBeingWritten(channel)) {
                throw new FileSystemException(
                        file.toString(), null, "another recording is being written there");
            }
            channel.truncate(0);
            return Channels.newOutputStream(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean isBeingWritten(FileChannel channel) {
        try {
            return channel.tryLock() == null;
        } catch (OverlappingFileLockException e) {
            return true; // by this process
        } catch (IOException e) {
            return false; // its file system has no locks
        }
    }

    /**
     * Returns whether it is a pipe, a terminal or the like, which nothing is lost of by writing to
     * it.
     */
    public static boolean isSpecial(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }
}
