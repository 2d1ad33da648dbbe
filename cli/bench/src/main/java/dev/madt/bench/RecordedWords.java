package dev.madt.bench;

import dev.madt.natives.NativeRecordEncoder;
import dev.madt.trace.buffer.ChunkBuffer;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.RecordReader;
import dev.madt.trace.codec.TemplateScope;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The words of a trace as the target wrote them into chunks, to be collected again. Built-in
 * records are left out.
 */
final class RecordedWords {
    /** A buffer file's worth of chunks, READY all of them. */
    record Chunks(ChunkBuffer buffer, int count) {}

    private static final int CHUNKS = 63;

    private final Map<Integer, AccessSite[]> definitions = new HashMap<>();
    private long[] words = new long[1 << 20];
    private int length;
    private long accesses;

    private RecordedWords() {}

    static RecordedWords read(Path trace) throws IOException {
        RecordedWords recorded = new RecordedWords();
        RecordReader reader = new RecordReader();
        try (TraceReader file = new TraceReader(trace)) {
            file.read(new FrameSink() {
                @Override
                public void frame(Frame frame) throws IOException {
                    if (frame.type() == FrameType.TEMPLATES) {
                        TemplatesFrame.decode(frame, recorded.definitions::put);
                    } else if (frame.type() == FrameType.EVENTS) {
                        reader.begin(frame);
                        recorded.add(reader);
                        recorded.accesses +=
                                (long) reader.counts().loads() + reader.counts().stores();
                    }
                }

                @Override
                public void close() {}
            });
        }
        return recorded;
    }

    private void add(RecordReader reader) throws IOException {
        while (reader.next()) {
            if (reader.template() >= SharedLayout.TEMPLATE_FIRST_MODULE) {
                int need = length + 1 + reader.length();
                words = need > words.length ? Arrays.copyOf(words, 2 * need) : words;
                words[length] = SharedLayout.recordHeader(reader.template(), reader.epoch());
                System.arraycopy(reader.words(), 0, words, length + 1, reader.length());
                length = need;
            }
        }
    }

    long accesses() {
        return accesses;
    }

    long[] words() {
        return words;
    }

    /** Returns how many of {@link #words} there are. */
    int length() {
        return length;
    }

    /** An empty frame that knows the templates. */
    EventsFrame newFrame() {
        return new EventsFrame(new NativeRecordEncoder(new TemplateScope() {
            @Override
            public RecordTemplate template(int number) {
                AccessSite[] sites = definitions.get(number);
                return sites == null ? null : new RecordTemplate(number, sites);
            }

            @Override
            public void define(RecordTemplate template) {}

            @Override
            public boolean traced(AccessSite site) {
                return true;
            }

            @Override
            public boolean traced(long address, long[] range) {
                range[0] = 0;
                range[1] = -1; // unsigned: all
                return true;
            }
        }));
    }

    /** All words, a buffer at a time; each buffer is filled when it is asked for. */
    Iterable<Chunks> chunks() throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect((int) SharedLayout.bufferSize(CHUNKS))
                .order(ByteOrder.LITTLE_ENDIAN);
        memory.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC);
        memory.putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
        memory.putInt(SharedLayout.Buffer.CHUNKS, CHUNKS);
        memory.putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
        ChunkBuffer buffer = new ChunkBuffer(memory, template -> definitions.get(template).length);
        int[] next = {0};
        return () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                return next[0] < length;
            }

            @Override
            public Chunks next() {
                int count = 0;
                while (count < CHUNKS && next[0] < length) {
                    next[0] = fill(memory, count++, next[0]);
                }
                return new Chunks(buffer, count);
            }
        };
    }

    /**
     * Fills a chunk with whole records from word {@code at} on; returns where the next one begins.
     */
    private int fill(ByteBuffer memory, int chunk, int at) {
        int start = SharedLayout.PAGE + chunk * SharedLayout.CHUNK_STRIDE;
        int from = at;
        int to = SharedLayout.CHUNK_HEADER_WORDS;
        while (from < length) {
            int count = 1
                    + definitions.get((int) (words[from] >>> 32) & SharedLayout.TEMPLATE_RESERVED)
                            .length;
            if (to + count > SharedLayout.CHUNK_WORDS) {
                break;
            }
            for (int i = 0; i < count; i++) {
                memory.putLong(start + 8 * to++, words[from++]);
            }
        }
        while (to < SharedLayout.CHUNK_WORDS) {
            memory.putLong(start + 8 * to++, SharedLayout.WORD_NONE);
        }
        memory.putLong(start + SharedLayout.Chunk.EPOCH, words[at] & 0xffff_ffffL);
        memory.putInt(start + SharedLayout.Chunk.FILLED, SharedLayout.CHUNK_LIVE);
        memory.putInt(
                SharedLayout.Buffer.CHUNK
                        + chunk * SharedLayout.ChunkState.BYTES
                        + SharedLayout.ChunkState.STATE,
                SharedLayout.READY);
        return from;
    }
}
