package dev.madt.view.dump;

import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.RecordReader;
import dev.madt.trace.codec.RingEventWords;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.view.toolkit.TextBuffer;

/**
 * A line for each record of an EVTS frame: its number and epoch, then its words; accesses that were
 * not made are {@code -}. Of an event in a short form, the words that it would have in full.
 */
final class EventWords {
    private static final String[] BUILT_IN = {
        "event",
        "copy",
        "store",
        "fetch",
        "unknown load",
        "unknown store",
        "thread",
        "allocation at the last place",
        "allocation at an earlier place",
        "allocation elsewhere",
        "end of a known block",
        "end of another block",
        "short event",
        "13",
        "system call"
    };

    private final TextBuffer text;
    private final RecordReader reader = new RecordReader();
    private final RingEventWords ringEvents = new RingEventWords();

    EventWords(TextBuffer text) {
        this.text = text;
    }

    /**
     * @throws TraceFormatException if the payload is malformed; the records in front of the fault
     *     have been written
     */
    void write(Frame frame) throws TraceFormatException {
        reader.begin(frame);
        ringEvents.begin();
        while (reader.next()) {
            int template = reader.template();
            text.text("  template ")
                    .text(
                            template < BUILT_IN.length
                                    ? BUILT_IN[template]
                                    : Integer.toString(template));
            text.text(" epoch ").decimal(reader.epoch() & 0xffff_ffffL).character(':');
            int first = 0;
            if (template == SharedLayout.TEMPLATE_EVENT && reader.length() > 0) {
                text.character(' ').text(type((int) reader.words()[0] & 0xffff));
                first = 1;
            }
            for (int i = first; i < reader.length(); i++) {
                word(reader.words()[i]);
            }
            TraceEvent event = ringEvents.take(reader);
            if (event != null && reader.length() == 0) {
                inFull(event);
            }
            text.character('\n');
        }
    }

    private void inFull(TraceEvent event) {
        text.character(' ').text(event.type().name());
        word(event.epoch());
        word(event.thread());
        word(event.word(0));
        word(event.word(1));
        word(event.word(2));
        word(event.word(3));
        word(event.code());
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
}
