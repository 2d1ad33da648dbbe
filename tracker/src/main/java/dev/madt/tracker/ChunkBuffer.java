package dev.madt.tracker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The reading side of one buffer file. The target owns a chunk while it is BUSY, this side while it is READY. With engine trap a
 * thread writes the words of a run before the header, so that a header that is not all ones vouches for the words
 * behind it, in a READY chunk and in one whose owner goes on writing or died alike. With engine splice the words come behind the header,
 * one by one: in a BUSY chunk the last run is taken once no word is missing or another follows, or when its thread has ended. Not for use
 * by several threads.
 *
 * <pre>
 *   | head (8 words) | run | run | run | ones ... |
 *                                ^ position: first word not yet passed on
 * </pre>
 */
public final class ChunkBuffer {
    private static final byte[] ONES = new byte[SharedLayout.CHUNK_BYTES - SharedLayout.Chunk.BYTES];

    static {
        Arrays.fill(ONES, (byte) 0xff);
    }

    private final SharedMemory memory;
    private final RunWords runs;
    private final boolean headerFirst;
    private final String part;
    private final int[] position;
    private final long[] epoch;
    private final long[] words = new long[SharedLayout.CHUNK_WORDS];

    /**
     * @param buffer mapping of the buffer file, readable and writable
     * @throws MalformedBufferException if it is not a buffer file of this version, or its size does not fit its head
     */
    public ChunkBuffer(ByteBuffer buffer, RunWords runs) throws MalformedBufferException {
        this(buffer, runs, false);
    }

    /** The same; {@code headerFirst}: engine splice writes it, header first. */
    public ChunkBuffer(ByteBuffer buffer, RunWords runs, boolean headerFirst) throws MalformedBufferException {
        this.memory = new SharedMemory(buffer);
        this.runs = runs;
        this.headerFirst = headerFirst;
        if (memory.size() < SharedLayout.PAGE
                || memory.getLong(SharedLayout.Buffer.MAGIC) != SharedLayout.BUFFER_MAGIC) {
            throw new MalformedBufferException("buffer", 0, "not a buffer file");
        }
        this.part = "buffer " + memory.getInt(SharedLayout.Buffer.NUMBER);
        require(SharedLayout.Buffer.VERSION, "layout version", SharedLayout.LAYOUT_VERSION);
        require(SharedLayout.Buffer.CHUNK_WORDS, "words in a chunk", SharedLayout.CHUNK_WORDS);
        int chunks = memory.getInt(SharedLayout.Buffer.CHUNKS);
        int most = (SharedLayout.PAGE - SharedLayout.Buffer.CHUNK) / SharedLayout.ChunkState.BYTES;
        if (chunks < 1 || chunks > most || SharedLayout.bufferSize(chunks) > memory.size()) {
            throw malformed(SharedLayout.Buffer.CHUNKS,
                    chunks + " chunks in " + memory.size() + " bytes; at most " + most + " are possible");
        }
        position = new int[chunks];
        Arrays.fill(position, SharedLayout.CHUNK_HEADER_WORDS);
        epoch = new long[chunks];
    }

    public int chunks() {
        return position.length;
    }

    /** {@link SharedLayout#FREE}, {@link SharedLayout#BUSY} or {@link SharedLayout#READY}, read with acquire. */
    public int state(int chunk) {
        return memory.getIntAcquire(head(chunk) + SharedLayout.ChunkState.STATE);
    }

    /** Place of a READY chunk in the order of publication. */
    public long ticket(int chunk) {
        return memory.getLong(head(chunk) + SharedLayout.ChunkState.TICKET);
    }

    /** Owner of a BUSY chunk. */
    public int thread(int chunk) {
        return memory.getInt(head(chunk) + SharedLayout.ChunkState.THREAD);
    }

    /**
     * Passes on every whole run not yet passed on of a LIVE chunk that is BUSY or READY; of other chunks nothing.
     *
     * @return runs passed on
     * @throws MalformedBufferException at a word that is no header where one must be, a run that nobody knows, or one
     *     that would reach over the end of its chunk; everything in front has been passed on
     */
    public int scan(int chunk, WordSink sink) throws IOException {
        return scan(chunk, sink, false);
    }

    /** The same; {@code ended}: no thread of the target runs any more. */
    public int scan(int chunk, WordSink sink, boolean ended) throws IOException {
        if (state(chunk) == SharedLayout.FREE
                || memory.getIntAcquire(start(chunk) + SharedLayout.Chunk.FILLED) != SharedLayout.CHUNK_LIVE) {
            return 0;
        }
        int thread = memory.getInt(start(chunk) + SharedLayout.Chunk.THREAD);
        if (position[chunk] == SharedLayout.CHUNK_HEADER_WORDS) {
            epoch[chunk] = memory.getLong(start(chunk) + SharedLayout.Chunk.EPOCH);
        }
        boolean growing = headerFirst && !ended && state(chunk) == SharedLayout.BUSY;
        int passed = 0;
        while (position[chunk] < SharedLayout.CHUNK_WORDS) {
            long header = memory.getLongAcquire(at(chunk, position[chunk]));
            if (header == SharedLayout.WORD_NONE || headerFirst && header >= 0) {
                break; // nothing there, or half a header
            }
            int run = (int) (header >>> 32) & SharedLayout.RUN_RESERVED;
            int count = count(chunk, header, run);
            for (int i = 0; i < count; i++) {
                words[i] = memory.getLong(at(chunk, position[chunk] + 1 + i));
            }
            if (growing && mayGrow(chunk, count)) {
                break;
            }
            epoch[chunk] = whole(epoch[chunk], (int) header);
            position[chunk] += 1 + count;
            passed++;
            sink.run(thread, epoch[chunk], run, words, 0, count);
        }
        return passed;
    }

    /**
     * Refills a READY chunk with all-ones words and frees it. What was not scanned is lost.
     *
     * @throws IllegalStateException if the chunk is not READY: it would be the target's
     */
    public void recycle(int chunk) {
        if (state(chunk) != SharedLayout.READY) {
            throw new IllegalStateException(part + ", chunk " + chunk + " is not READY");
        }
        memory.put(at(chunk, SharedLayout.CHUNK_HEADER_WORDS), ONES, ONES.length);
        memory.setIntRelease(start(chunk) + SharedLayout.Chunk.FILLED, SharedLayout.CHUNK_CLEAN);
        position[chunk] = SharedLayout.CHUNK_HEADER_WORDS;
        memory.setIntRelease(head(chunk) + SharedLayout.ChunkState.STATE, SharedLayout.FREE);
    }

    /** Whether the run at hand, whose words have been read, may still get some: one is missing, and no run follows. */
    private boolean mayGrow(int chunk, int count) {
        boolean missing = false;
        for (int i = 0; i < count; i++) {
            missing |= words[i] == SharedLayout.WORD_NONE;
        }
        int next = position[chunk] + 1 + count;
        if (!missing || next >= SharedLayout.CHUNK_WORDS) {
            return missing;
        }
        if (memory.getLongAcquire(at(chunk, next)) >= 0 || memory.getLong(at(chunk, next)) == SharedLayout.WORD_NONE) {
            return true;
        }
        for (int i = 0; i < count; i++) { // again: they may have come since
            words[i] = memory.getLong(at(chunk, position[chunk] + 1 + i));
        }
        return false;
    }

    /** Words of the run with this header, checked. */
    private int count(int chunk, long header, int run) throws MalformedBufferException {
        int word = position[chunk];
        if (header >= 0 || run == SharedLayout.RUN_RESERVED) {
            throw malformed(at(chunk, word), "0x" + Long.toHexString(header) + " is no run header");
        }
        int count = runs.words(run);
        if (count < 0) {
            throw malformed(at(chunk, word), "unknown run " + run);
        }
        if (count > SharedLayout.CHUNK_WORDS - 1 - word) {
            throw malformed(at(chunk, word), "run " + run + " of " + count + " words reaches over the end of its chunk");
        }
        return count;
    }

    /**
     * The 64-bit epoch with these low bits that is nearest to the last one: a handler may interrupt its thread
     * between reading the epoch and writing the header, so that epochs step back a little.
     */
    private static long whole(long last, int low) {
        return last + (low - (int) last);
    }

    private static int start(int chunk) {
        return SharedLayout.PAGE + chunk * SharedLayout.CHUNK_BYTES;
    }

    private static int at(int chunk, int word) {
        return start(chunk) + word * 8;
    }

    private int head(int chunk) {
        if (chunk < 0 || chunk >= position.length) {
            throw new IllegalArgumentException(part + " has " + position.length + " chunks, no chunk " + chunk);
        }
        return SharedLayout.Buffer.CHUNK + chunk * SharedLayout.ChunkState.BYTES;
    }

    private void require(int offset, String what, int value) throws MalformedBufferException {
        int found = memory.getInt(offset);
        if (found != value) {
            throw malformed(offset, what + " " + found + ", this madt knows " + value);
        }
    }

    private MalformedBufferException malformed(long offset, String cause) {
        return new MalformedBufferException(part, offset, cause);
    }
}
