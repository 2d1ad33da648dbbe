package dev.madt.trace.buffer;

import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The reading side of one buffer file. The target owns a chunk while it is BUSY, this side while it
 * is READY. With engine trap a thread writes the words of a record before the header, so that a
 * header that is not all ones vouches for the words behind it, in a READY chunk and in one whose
 * owner goes on writing or died alike. With engine splice the words come behind the header, one by
 * one, each in front of its access; and where an access faults, the thread takes back what has not
 * come to pass. So in a BUSY chunk the last record is <i>open</i>: it is taken once another
 * follows, when its thread has ended, or when no word is missing and the thread is known to be past
 * it ({@link #settle}). Not for use by several threads.
 *
 * <pre>
 *   | head (8 words) | record | record | record | ones ... |
 *                                ^ position: first word not yet passed on
 * </pre>
 */
public final class ChunkBuffer {
    /** Small enough to stay in the processor's nearest cache. */
    private static final byte[] ONES = new byte[1 << 12];

    static {
        Arrays.fill(ONES, (byte) 0xff);
    }

    private final SharedMemory memory;
    private final TemplateWords templates;
    private final boolean headerFirst;
    private final String part;
    private final int[] position;
    private final boolean[] lent;
    private final long[] epoch;
    private final long[] open;
    private final int[] settled;

    /**
     * @param buffer mapping of the buffer file, readable and writable
     * @throws MalformedBufferException if it is not a buffer file of this version, or its size does
     *     not fit its head
     */
    public ChunkBuffer(ByteBuffer buffer, TemplateWords templates) throws MalformedBufferException {
        this(buffer, templates, false);
    }

    /**
     * @param buffer mapping of the buffer file, readable and writable
     * @param headerFirst engine splice writes it, header first
     * @throws MalformedBufferException if it is not a buffer file of this version, or its size does
     *     not fit its head
     */
    public ChunkBuffer(ByteBuffer buffer, TemplateWords templates, boolean headerFirst)
            throws MalformedBufferException {
        this.memory = new SharedMemory(buffer);
        this.templates = templates;
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
            throw malformed(
                    SharedLayout.Buffer.CHUNKS,
                    chunks + " chunks in " + memory.size() + " bytes; at most " + most
                            + " are possible");
        }
        position = new int[chunks];
        Arrays.fill(position, SharedLayout.CHUNK_HEADER_WORDS);
        lent = new boolean[chunks];
        epoch = new long[chunks];
        open = new long[chunks];
        Arrays.fill(open, EventOrder.NEVER);
        settled = new int[chunks];
    }

    public int chunks() {
        return position.length;
    }

    /**
     * {@link SharedLayout#FREE}, {@link SharedLayout#BUSY} or {@link SharedLayout#READY}, read with
     * acquire.
     */
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
     * Every whole record not yet passed on of a live chunk that is BUSY or READY, but for an open
     * one. If a word is no header where one must be, or its record is unknown or not whole,
     * everything behind comes too: who takes the records meets the fault.
     *
     * @param ended no thread of the target runs any more
     * @return the records, or null if there is none
     */
    public RecordSpan scan(int chunk, boolean ended) {
        if (state(chunk) == SharedLayout.FREE || !live(chunk)) {
            return null;
        }
        boolean growing = headerFirst && !ended && state(chunk) == SharedLayout.BUSY;
        int from = position[chunk];
        long last = epochInFront(chunk);
        long now = last;
        int at = from;
        open[chunk] = EventOrder.NEVER;
        while (at < SharedLayout.CHUNK_WORDS) {
            long header = memory.getLongAcquire(at(chunk, at));
            boolean whole = isHeader(header);
            if (header == SharedLayout.WORD_NONE || headerFirst && !whole) {
                break; // nothing there, or half a header
            }
            int count = whole
                    ? templates.words((int) (header >>> 32) & SharedLayout.TEMPLATE_RESERVED)
                    : -1;
            if (count < 0 || count > SharedLayout.CHUNK_WORDS - 1 - at) {
                at = SharedLayout.CHUNK_WORDS;
                break;
            }
            if (growing
                    && isOpen(chunk, at, count)
                    && !templates.wordsFirst(
                            (int) (header >>> 32) & SharedLayout.TEMPLATE_RESERVED)) {
                open[chunk] = EventOrder.epoch(now, header);
                break;
            }
            now = EventOrder.epoch(now, header);
            at += 1 + count;
        }
        position[chunk] = at;
        epoch[chunk] = now;
        return at == from
                ? null
                : new RecordSpan(part, memory.longs(), index(chunk, from), index(chunk, at), last);
    }

    private long epochInFront(int chunk) {
        return position[chunk] == SharedLayout.CHUNK_HEADER_WORDS
                ? claimEpoch(chunk)
                : epoch[chunk];
    }

    /**
     * Returns the epoch of the open record that the last {@link #scan} left in a chunk, or
     * {@link EventOrder#NEVER}: events with this ticket and greater ones come behind it.
     */
    public long openEpoch(int chunk) {
        return open[chunk];
    }

    /** Returns the place of that record, in words from the chunk's beginning. */
    public int openAt(int chunk) {
        return position[chunk];
    }

    /**
     * Notes that the owner of a chunk has done all that the record at {@link #openAt} tells of, as
     * far as its words are there.
     */
    public void settle(int chunk) {
        settled[chunk] = position[chunk];
    }

    /** Returns whether that has been noted. */
    public boolean isSettled(int chunk) {
        return settled[chunk] == position[chunk];
    }

    /**
     * Returns whether a chunk has been filled for its first owner, so that {@link #scan} and
     * {@link #take} look into it.
     */
    public boolean live(int chunk) {
        return memory.getIntAcquire(start(chunk) + SharedLayout.Chunk.FILLED)
                == SharedLayout.CHUNK_LIVE;
    }

    /** Thread of a live chunk. */
    public int owner(int chunk) {
        return memory.getInt(start(chunk) + SharedLayout.Chunk.THREAD);
    }

    /** Epoch when a live chunk was claimed. */
    public long claimEpoch(int chunk) {
        return memory.getLong(start(chunk) + SharedLayout.Chunk.EPOCH);
    }

    /** Time stamp counter when a live chunk was claimed. */
    public long claimTime(int chunk) {
        return memory.getLong(start(chunk) + SharedLayout.Chunk.TSC);
    }

    /**
     * Time stamp counter when the owner of a live chunk that is BUSY went into the system call that
     * it is in; 0: it is in none, or calls have no times.
     */
    public long callBegun(int chunk) {
        return state(chunk) == SharedLayout.BUSY && live(chunk)
                ? memory.getLongAcquire(start(chunk) + SharedLayout.Chunk.CALL_BEGUN)
                : 0;
    }

    /** The number of that system call. */
    public long callNumber(int chunk) {
        return memory.getLong(start(chunk) + SharedLayout.Chunk.CALL_NUMBER);
    }

    /** Returns whether a chunk has been taken and not come back. */
    public boolean isLent(int chunk) {
        return lent[chunk];
    }

    /**
     * Returns what has not been passed on of a READY live chunk; its records have not been checked.
     * Nothing else happens to the chunk until the span is closed, which frees it.
     *
     * @throws IllegalStateException if it has been taken
     */
    public RecordSpan take(int chunk) {
        if (lent[chunk]) {
            throw new IllegalStateException(part + ", chunk " + chunk + " has been taken");
        }
        lent[chunk] = true;
        open[chunk] = EventOrder.NEVER;
        return new RecordSpan(
                part,
                memory.longs(),
                index(chunk, position[chunk]),
                index(chunk, SharedLayout.CHUNK_WORDS),
                epochInFront(chunk),
                this,
                chunk);
    }

    /**
     * Fills a READY chunk with all-ones words and frees it. What was not scanned is lost.
     *
     * @throws IllegalStateException if the chunk is not READY: it would be the target's
     */
    public void recycle(int chunk) {
        if (state(chunk) != SharedLayout.READY) {
            throw new IllegalStateException(part + ", chunk " + chunk + " is not READY");
        }
        recycle(chunk, SharedLayout.CHUNK_WORDS - position[chunk]);
    }

    /**
     * Frees a chunk that was READY, whatever the target has made of its state, when of what had not
     * been scanned all but {@code rest} words are ones.
     */
    void recycle(int chunk, int rest) {
        fillWithOnes(at(chunk, SharedLayout.CHUNK_HEADER_WORDS), at(chunk, position[chunk]));
        fillWithOnes(
                at(chunk, SharedLayout.CHUNK_WORDS - rest), at(chunk, SharedLayout.CHUNK_WORDS));
        memory.setIntRelease(start(chunk) + SharedLayout.Chunk.FILLED, SharedLayout.CHUNK_CLEAN);
        position[chunk] = SharedLayout.CHUNK_HEADER_WORDS;
        settled[chunk] = 0;
        open[chunk] = EventOrder.NEVER;
        lent[chunk] = false;
        memory.setIntRelease(head(chunk) + SharedLayout.ChunkState.STATE, SharedLayout.FREE);
    }

    private void fillWithOnes(int from, int end) {
        for (int at = from; at < end; at += ONES.length) {
            memory.put(at, ONES, Math.min(ONES.length, end - at));
        }
    }

    /**
     * Returns whether the record at a word may still change: none follows, and a word is missing or
     * nobody has said that its thread is past it.
     */
    private boolean isOpen(int chunk, int at, int count) {
        boolean missing = false;
        for (int i = 1; i <= count; i++) {
            missing |= memory.getLong(at(chunk, at + i)) == SharedLayout.WORD_NONE;
        }
        int next = at + 1 + count;
        boolean follows =
                next < SharedLayout.CHUNK_WORDS && isHeader(memory.getLongAcquire(at(chunk, next)));
        return !follows && (missing || settled[chunk] != at);
    }

    /**
     * The two halves of a header may come one after the other: its template number is the reserved
     * one until then, or has no bit 63.
     */
    private static boolean isHeader(long word) {
        return word < 0
                && (word >>> 32 & SharedLayout.TEMPLATE_RESERVED) != SharedLayout.TEMPLATE_RESERVED;
    }

    private static int start(int chunk) {
        return SharedLayout.PAGE + chunk * SharedLayout.CHUNK_STRIDE;
    }

    private static int at(int chunk, int word) {
        return start(chunk) + word * 8;
    }

    private static int index(int chunk, int word) {
        return at(chunk, word) / Long.BYTES;
    }

    private int head(int chunk) {
        if (chunk < 0 || chunk >= position.length) {
            throw new IllegalArgumentException(
                    part + " has " + position.length + " chunks, no chunk " + chunk);
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
