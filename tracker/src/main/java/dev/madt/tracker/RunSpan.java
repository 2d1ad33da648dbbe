package dev.madt.tracker;

/**
 * Runs of one chunk, as the target wrote them, that wait to be taken from front to back.
 *
 * <pre>
 *   | header | word ... | header | word ... | ones ...
 *     ^ position                                       ^ end
 * </pre>
 */
public final class RunSpan {
    private final String part;
    private final long offset;
    final long[] words;
    final int end;
    int position;
    /** Of the run in front of the first. */
    long epoch;

    /**
     * @param part and {@code offset}: what messages call the memory, and where in it word 0 is
     * @param epoch of the run in front of the first
     */
    public RunSpan(String part, long offset, long[] words, int from, int end, long epoch) {
        this.part = part;
        this.offset = offset;
        this.words = words;
        this.position = from;
        this.end = end;
        this.epoch = epoch;
    }

    public boolean isEmpty() {
        return position >= end || words[position] == SharedLayout.WORD_NONE;
    }

    /** Whether a run stands in front, and not something else. */
    public boolean isRun() {
        return words[position] < 0 && run() != SharedLayout.RUN_RESERVED;
    }

    /** Words that may be left, trailing ones included. */
    public int size() {
        return end - position;
    }

    /** The words, which are free when the span is empty. */
    public long[] words() {
        return words;
    }

    /** Index of the first run's first word in {@link #words}. */
    public int from() {
        return position + 1;
    }

    /** Number of the first run. */
    public int run() {
        return (int) (words[position] >>> 32) & SharedLayout.RUN_RESERVED;
    }

    /**
     * Epoch of the first run, all 64 bits: the nearest to that of the run before it. A handler may interrupt its thread between
     * reading the epoch and writing the header, so epochs step back a little.
     */
    public long epoch() {
        return epoch + ((int) words[position] - (int) epoch);
    }

    /** Epoch of the run in front of the first, all 64 bits. */
    public long epochBefore() {
        return epoch;
    }

    /** Goes behind runs of so many words in all, headers among them; the last of them has this epoch. */
    public void skip(int count, long lastEpoch) {
        position += count;
        epoch = lastEpoch;
    }

    /** Goes behind the first run, which has so many words. */
    public void skip(int count) {
        epoch = epoch();
        position += 1 + count;
    }

    /**
     * The same after a check that the run is whole.
     *
     * @throws MalformedBufferException if no run stands there, or not all of it
     */
    public void check(int count) throws MalformedBufferException {
        if (!isRun()) {
            throw malformed("0x" + Long.toHexString(words[position]) + " is no run header");
        }
        if (count < 0) {
            throw malformed("unknown run " + run());
        }
        if (count > end - position - 1) {
            throw malformed("run " + run() + " of " + count + " words reaches over the end of its chunk");
        }
    }

    private MalformedBufferException malformed(String cause) {
        return new MalformedBufferException(part, offset + 8L * position, cause);
    }
}
