package dev.madt.trace.file;

import dev.madt.trace.codec.DefinitionPart;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.TraceLayout;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says what the first and the last frames of a trace say, without reading what is between them: the
 * time does not grow with the trace. Whether the frames between them are whole is not known then.
 *
 * @param meta keys and values, of those given twice the last
 * @param processes the list of processes; empty if the trace has none
 * @param index the index, with which a complete trace ends
 */
public record TraceEnds(Map<String, String> meta, List<ProcessImage> processes, TraceIndex index) {
    private static final int SOME = 1 << 16;
    private static final int MOST = TraceLayout.MOST_RAW + (1 << 20);
    /** "INDX" as a little-endian integer. */
    private static final int TAG = 0x58444e49;

    /**
     * Reads both ends of a file.
     *
     * @return null if the file is no trace, does not end in an index, or is not as docs/FORMAT.md
     *     says where it was read: reading all of it tells more
     */
    public static TraceEnds read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long at = indexAt(channel);
            if (at < 0) {
                return null;
            }
            TraceIndex index = TraceIndex.decode(frameAt(channel, at));
            Gathered gathered = new Gathered();
            gather(channel, TraceLayout.HEADER_BYTES, TraceLayout.HEADER_BYTES + 1, gathered);
            int events = index.offsets().length;
            gather(
                    channel,
                    events == 0 ? TraceLayout.HEADER_BYTES : index.offsets()[events - 1],
                    at,
                    gathered);
            return new TraceEnds(gathered.meta, gathered.processes, index);
        } catch (FrameInput.BadFrameException | TraceFormatException e) {
            return null;
        }
    }

    /**
     * Returns where the frame begins that is an index and ends with the file; -1 if there is none.
     */
    private static long indexAt(FileChannel channel) throws IOException {
        long size = channel.size();
        for (int length = SOME; ; length *= 4) {
            ByteBuffer tail = ByteBuffer.allocate((int) Math.min(size, Math.min(length, MOST)))
                    .order(ByteOrder.LITTLE_ENDIAN);
            channel.position(size - tail.capacity());
            new DataInputStream(Channels.newInputStream(channel)).readFully(tail.array());
            for (int at = tail.capacity() - TraceLayout.HEAD_BYTES; at >= 0; at--) {
                boolean fits = tail.getInt(at) == TAG
                        && at
                                        + TraceLayout.HEAD_BYTES
                                        + (long) tail.getInt(at + TraceLayout.STORED_AT)
                                == tail.capacity();
                if (fits) {
                    return size - tail.capacity() + at;
                }
            }
            if (tail.capacity() == size || length >= MOST) {
                return -1;
            }
        }
    }

    private static Frame frameAt(FileChannel channel, long at) throws IOException {
        channel.position(at);
        try (FrameInput input =
                new FrameInput(new BufferedInputStream(Channels.newInputStream(channel)))) {
            return input.next();
        }
    }

    /** Gathers what the frames that begin in a range say. */
    private static void gather(FileChannel channel, long from, long end, Gathered gathered)
            throws IOException {
        channel.position(from);
        InputStream in = new BufferedInputStream(Channels.newInputStream(channel), SOME);
        try (FrameInput input = new FrameInput(in)) {
            while (from + input.start() < end) {
                Frame frame = input.next();
                if (frame == null || from + input.start() >= end) {
                    return;
                }
                if (frame.type() == FrameType.META || frame.type() == FrameType.PROCESSES) {
                    DefinitionPart.decode(frame, gathered);
                }
            }
        }
    }

    /** Takes what is wanted. */
    private static final class Gathered implements EventConsumer {
        private final Map<String, String> meta = new LinkedHashMap<>();
        private final List<ProcessImage> processes = new ArrayList<>();

        @Override
        public void meta(Map<String, String> values) {
            meta.putAll(values);
        }

        @Override
        public void process(ProcessImage entry) {
            processes.add(entry);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {}

        @Override
        public void block(
                long number,
                int thread,
                BlockKind kind,
                long to,
                long from,
                long length,
                long code) {}

        @Override
        public void ring(TraceEvent event) {}
    }
}
