package dev.madt.trace.buffer;

import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;

/**
 * Records of one chunk, where the target wrote them, that wait to be taken from front to back. What
 * has been taken becomes ones again, while it is in the processor's nearest cache.
 *
 * <pre>
 *   | header | word ... | header | word ... | ones ...
 *     ^ position                                       ^ end
 * </pre>
 */
public final class RecordSpan {
    private final String part;
    private final LongBuffer words;
    private final int end;
    /** Gets the chunk back; null if more of it will be taken. */
    private final ChunkBuffer lender;

    private final int chunk;
    private int position;
    /** Of the record in front of the first. */
    private long epoch;

    /**
     * @param part what messages call the memory
     * @param words its words, all of them
     * @param epoch of the record in front of the first
     */
    public RecordSpan(String part, LongBuffer words, int from, int end, long epoch) {
        this(part, words, from, end, epoch, null, 0);
    }

    /** The rest of a chunk, which the lender gets back. */
    RecordSpan(
            String part,
            LongBuffer words,
            int from,
            int end,
            long epoch,
            ChunkBuffer lender,
            int chunk) {
        this.part = part;
        this.words = words;
        this.position = from;
        this.end = end;
        this.epoch = epoch;
        this.lender = lender;
        this.chunk = chunk;
    }

    public boolean isEmpty() {
        return position >= end || words.get(position) == SharedLayout.WORD_NONE;
    }

    /** Returns whether a record stands in front, and not something else. */
    public boolean isRecord() {
        return words.get(position) < 0 && template() != SharedLayout.TEMPLATE_RESERVED;
    }

    /** Words that may be left, trailing ones included. */
    public int size() {
        return end - position;
    }

    /** Returns where the words are; the first is at {@link #position}. */
    public LongBuffer words() {
        return words;
    }

    /** Index of the first record's header in {@link #words}. */
    public int position() {
        return position;
    }

    /** Number of the first record's template. */
    public int template() {
        return (int) (words.get(position) >>> 32) & SharedLayout.TEMPLATE_RESERVED;
    }

    /** Copies the words of the first record, which are so many. */
    public void copy(int count, long[] to) {
        for (int i = 0; i < count; i++) { // few words: a copy of memory takes longer
            to[i] = words.get(position + 1 + i);
        }
    }

    /** Epoch of the first record, all 64 bits. */
    public long epoch() {
        return EventOrder.epoch(epoch, words.get(position));
    }

    /** Returns whether there is a record, which goes in front of the event with a ticket. */
    public boolean goesBefore(long ticket) {
        return !isEmpty() && EventOrder.isRecordFirst(epoch(), ticket);
    }

    /** Epoch of the record in front of the first, all 64 bits. */
    public long epochBefore() {
        return epoch;
    }

    /**
     * Goes behind records of so many words in all, headers among them, which are ones already; the
     * last of them has this epoch.
     */
    public void skip(int count, long lastEpoch) {
        position += count;
        epoch = lastEpoch;
    }

    /** Goes behind the first record, which has so many words. */
    public void skip(int count) {
        epoch = epoch();
        int next = position + 1 + count;
        while (position < next) {
            words.put(position++, SharedLayout.WORD_NONE);
        }
    }

    /**
     * Nobody uses the span after that; what is left in it is lost.
     *
     * @return whether its chunk is free again
     */
    public boolean close() {
        if (lender != null) {
            lender.recycle(chunk, end - position);
        }
        return lender != null;
    }

    /**
     * A check that the first record is whole.
     *
     * @throws MalformedBufferException if no record stands there, or not all of it
     */
    public void check(int count) throws MalformedBufferException {
        if (!isRecord()) {
            throw malformed("0x" + Long.toHexString(words.get(position)) + " is no record header");
        }
        if (count < 0) {
            throw malformed("unknown template " + template());
        }
        if (count > end - position - 1) {
            throw malformed("the record of template " + template() + " of " + count
                    + " words reaches over the end of its chunk");
        }
    }

    private MalformedBufferException malformed(String cause) {
        return new MalformedBufferException(part, 8L * position, cause);
    }
}
