package dev.madt.resolver.line;

import java.util.Arrays;

/**
 * Text that is written over and over: its bytes in words, the first byte lowest, so that a line
 * copies eight at once.
 */
final class PackedText {
    static final PackedText EMPTY = new PackedText(new byte[0]);

    final long[] words;
    final int length;

    PackedText(byte[] text) {
        length = text.length;
        words = new long[length + Long.BYTES - 1 >>> 3];
        byte[] padded = Arrays.copyOf(text, words.length * Long.BYTES);
        for (int i = 0; i < words.length; i++) {
            words[i] = (long) LineBuffer.WORD.get(padded, i * Long.BYTES);
        }
    }
}
