package dev.madt.cli.dump;

import dev.madt.cli.convert.TextBuffer;
import dev.madt.tracker.Frame;
import dev.madt.tracker.RingEventType;
import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.TraceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** A line for each run of an EVTS frame: its number and epoch, then its words; accesses that were not made are {@code -}. */
final class EventWords {
    private static final int EVENT_WORDS = 7;
    private static final String[] BUILT_IN = {"event", "copy", "store", "fetch", "unknown load", "unknown store"};
    private static final int[] BUILT_IN_WORDS = {EVENT_WORDS, 4, 3, 3, 2, 2};

    private final TextBuffer text;
    private final Map<Integer, Integer> sites;

    /** @param sites words of each run that has been defined */
    EventWords(TextBuffer text, Map<Integer, Integer> sites) {
        this.text = text;
        this.sites = sites;
    }

    /** @throws TraceFormatException if the words are no runs; those in front of the fault have been written */
    void write(Frame frame) throws TraceFormatException {
        ByteBuffer words = frame.payload().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            long header = take(words);
            int run = (int) (header >>> 32) & SharedLayout.RUN_RESERVED;
            String name = run < BUILT_IN.length ? BUILT_IN[run] : Integer.toString(run);
            text.text("  run ").text(name).text(" epoch ").decimal(header & 0xffff_ffffL).character(':');
            if (run == SharedLayout.RUN_EVENT) {
                event(words);
            } else {
                plain(words, run);
            }
            text.character('\n');
        }
    }

    private void plain(ByteBuffer words, int run) throws TraceFormatException {
        Integer count = run < BUILT_IN_WORDS.length ? Integer.valueOf(BUILT_IN_WORDS[run]) : sites.get(run);
        if (count == null) {
            throw new TraceFormatException("EVTS frame, byte " + words.position() + " of its payload: run " + run
                    + " is not defined");
        }
        for (int i = 0; i < count; i++) {
            word(take(words));
        }
    }

    private void event(ByteBuffer words) throws TraceFormatException {
        long head = take(words);
        text.character(' ').text(type((int) head & 0xffff));
        int rest = EVENT_WORDS - 1 + (int) (head >>> 16 & 0xffff);
        for (int i = 0; i < rest; i++) {
            word(take(words));
        }
    }

    private static String type(int code) {
        try {
            return RingEventType.of(code).name();
        } catch (IllegalArgumentException e) {
            return "type " + code;
        }
    }

    private void word(long word) {
        if (word == SharedLayout.WORD_NONE) {
            text.text(" -");
        } else {
            text.text(" 0x").hexadecimal(word, 1);
        }
    }

    private static long take(ByteBuffer words) throws TraceFormatException {
        if (words.remaining() < Long.BYTES) {
            throw new TraceFormatException("EVTS frame, byte " + words.position() + " of its payload: the last run is cut off");
        }
        return words.getLong();
    }
}
