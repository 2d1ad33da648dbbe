package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;

/**
 * Says how the words of a record follow from those that stand in a chunk: each is one of these plus
 * a distance. Immutable.
 */
public final class WordSources {
    private final int stored;
    private final byte[] from;
    private final short[] distance;

    /**
     * @param stored words in a chunk
     * @param from for each word of the record the number of a stored word; not copied
     * @param distance what is added to it; not copied
     */
    public WordSources(int stored, byte[] from, short[] distance) {
        this.stored = stored;
        this.from = from;
        this.distance = distance;
    }

    /** Words in a chunk. */
    public int stored() {
        return stored;
    }

    /** For each word of the record the number of a stored word; not to be changed. */
    public byte[] from() {
        return from;
    }

    /** For each word of the record what is added to the stored one; not to be changed. */
    public short[] distance() {
        return distance;
    }

    /** The words of the record. What follows from a word that is missing is missing. */
    public long[] restore(long[] chunked) {
        long[] words = new long[from.length];
        for (int i = 0; i < words.length; i++) {
            long word = chunked[from[i]];
            words[i] = word == SharedLayout.WORD_NONE ? word : word + distance[i];
        }
        return words;
    }
}
