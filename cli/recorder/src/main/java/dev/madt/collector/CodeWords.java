package dev.madt.collector;

import java.util.function.LongUnaryOperator;

/**
 * Says what a trace says in the place of code words, for the words that have come since the modules
 * changed last. Each is asked for once, and then found in constant time; there are as many as the
 * program has calls.
 *
 * <pre>
 *   table   | word | code | 0 | - | word | code | ...
 *           open addressing, at most half full; word 0 is not kept
 * </pre>
 */
final class CodeWords {
    private static final int FIRST_PAIRS = 256;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final LongUnaryOperator source;
    private long[] table;
    private int words;

    /** @param source tells the code for a word; it is asked again after {@link #forget} */
    CodeWords(LongUnaryOperator source) {
        this.source = source;
        forget();
    }

    long code(long word) {
        int at = place(word);
        if (table[at] != word || word == 0) {
            return add(word);
        }
        return table[at + 1];
    }

    /** Other code may lie where words point. */
    void forget() {
        table = new long[2 * FIRST_PAIRS];
        words = 0;
    }

    private long add(long word) {
        long code = source.applyAsLong(word);
        if (word != 0) {
            if (4 * (words + 1) > table.length) {
                grow();
            }
            put(word, code);
            words++;
        }
        return code;
    }

    private void put(long word, long code) {
        int at = place(word);
        table[at] = word;
        table[at + 1] = code;
    }

    private void grow() {
        long[] before = table;
        table = new long[2 * before.length];
        for (int at = 0; at < before.length; at += 2) {
            if (before[at] != 0) {
                put(before[at], before[at + 1]);
            }
        }
    }

    /** Returns where the word is, or would be. */
    private int place(long word) {
        int mask = table.length - 2;
        int at = (int) (word * GOLDEN >>> 32) & mask;
        while (table[at] != word && table[at] != 0) {
            at = at + 2 & mask;
        }
        return at;
    }
}
