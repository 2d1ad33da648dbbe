package dev.madt.duckdb;

import dev.madt.natives.NativeWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps texts in the form in which DuckDB reads them from a vector, each once. A text is two words
 * (duckdb_string_t): its length, and its bytes if there are at most twelve, else the first four and
 * the address of all. Texts are valid until the pool is closed.
 *
 * <pre>
 *   bits 0..31   32..63          64..127
 *   length       bytes 0 to 3    bytes 4 to 11
 *   length       bytes 0 to 3    address
 * </pre>
 */
public final class TextPool implements AutoCloseable {
    /** Bytes that have room in the two words. */
    static final int INLINED = 12;

    private static final int FIRST = 4;
    private static final int PIECE = 1 << 16;

    /** The two words of a text. */
    public record Text(long head, long tail) {
        /** The text without a letter. */
        public static final Text EMPTY = new Text(0, 0);
    }

    private final Map<String, Text> known = new HashMap<>();
    private final List<Long> pieces = new ArrayList<>();
    private long free;
    private long end;

    /** Returns a text's words. */
    public Text of(String text) {
        return known.computeIfAbsent(text, this::make);
    }

    /** As {@link #of}, of a text that is not asked for again: the pool keeps its bytes alone. */
    public Text once(String text) {
        return make(text);
    }

    private Text make(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long head = bytes.length | word(bytes, 0, FIRST) << Integer.SIZE;
        return bytes.length <= INLINED
                ? new Text(head, word(bytes, FIRST, INLINED))
                : new Text(head, place(bytes));
    }

    private static long word(byte[] bytes, int from, int to) {
        long word = 0;
        for (int i = from; i < Math.min(to, bytes.length); i++) {
            word |= (bytes[i] & 0xffL) << Byte.SIZE * (i - from);
        }
        return word;
    }

    private long place(byte[] bytes) {
        if (end - free < bytes.length) {
            long size = Math.max(PIECE, bytes.length);
            free = NativeWords.allocate(size);
            end = free + size;
            pieces.add(free);
        }
        long at = free;
        NativeWords.put(at, bytes);
        free += bytes.length;
        return at;
    }

    @Override
    public void close() {
        pieces.forEach(NativeWords::free);
        pieces.clear();
        known.clear();
        free = 0;
        end = 0;
    }
}
