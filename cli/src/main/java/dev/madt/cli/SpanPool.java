package dev.madt.cli;

import dev.madt.tracker.SharedLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/** Arrays for the words of whole chunks, used again and again: what is copied into one was in the processor's cache before. */
final class SpanPool {
    private static final int MOST_KEPT = 64;

    private final Deque<long[]> free = new ArrayDeque<>();

    long[] take() {
        long[] words = free.poll();
        return words == null ? new long[SharedLayout.CHUNK_WORDS] : words;
    }

    /** Takes an array back; one of another length is left to the garbage collector. */
    void give(long[] words) {
        if (words.length == SharedLayout.CHUNK_WORDS && free.size() < MOST_KEPT) {
            free.push(words);
        }
    }
}
