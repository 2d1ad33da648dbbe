package dev.madt.trace.event;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A word of an event that is printed by its words alone, as madt_events.schema types it.
 *
 * @param at its place among the words of the event; the code word has none
 */
public record EventWord(String name, Type type, int at) {
    /** Says what a word says; those of the schema, and the code word. */
    public enum Type {
        ADDRESS,
        BYTES,
        /** A time, of the time stamp counter. */
        TICKS,
        /** A number of ticks. */
        DURATION,
        PID,
        NUMBER,
        /** Up to eight characters, the first in the lowest byte, with zeros behind them. */
        TEXT,
        CODE
    }

    /** Returns the words of an event: {@code start: address}; empty where it has none. */
    static List<EventWord> all(String... words) {
        List<EventWord> all = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (!words[i].isEmpty()) {
                String[] parts = words[i].split(": ", 2);
                all.add(new EventWord(
                        parts[0], Type.valueOf(parts[1].toUpperCase(Locale.ROOT)), i));
            }
        }
        return List.copyOf(all);
    }

    /** Returns what an event has here. */
    public long of(TraceEvent event) {
        return type == Type.CODE ? event.code() : event.word(at);
    }

    /**
     * Returns the text of two words that go on in each other, in UTF-8; what would be a control
     * character is {@code ?}.
     */
    public static String text(long first, long second) {
        byte[] bytes = new byte[2 * Long.BYTES];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((i < Long.BYTES ? first : second) >>> Byte.SIZE * i);
            length = bytes[i] != 0 && length == i ? i + 1 : length;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    /** Returns the word that has a text of up to eight characters of ASCII. */
    public static long word(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word |= (bytes[i] & 0xffL) << Byte.SIZE * i;
        }
        return word;
    }

    /** Returns the characters of a word of text, with {@code ?} for all that is not plain ASCII. */
    public static String text(long word) {
        byte[] bytes = new byte[Long.BYTES];
        int length = 0;
        while (length < bytes.length && (byte) (word >>> Byte.SIZE * length) != 0) {
            byte character = (byte) (word >>> Byte.SIZE * length);
            bytes[length++] = character >= ' ' && character < 127 ? character : (byte) '?';
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
