package dev.madt.trace.codec;

import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.layout.EventsLayout;
import java.util.function.Consumer;

/** Consecutive records of one EVTS frame, as rows. The memory is used again and again. */
public final class RecordColumns implements TracePart {
    private final Consumer<RecordColumns> home;
    private final RecordRows rows = new RecordRows(EventsLayout.MOST_RECORD_WORDS);

    /** @param home takes the columns back when they have been consumed */
    public RecordColumns(Consumer<RecordColumns> home) {
        this.home = home;
    }

    /**
     * Gives the columns back to be filled again; whoever consumed them must not look at them any
     * more.
     */
    public void release() {
        home.accept(this);
    }

    /**
     * Replaces what is here by the next records of a frame.
     *
     * @return whether there may be more of them
     * @throws TraceFormatException if the payload is malformed; the records in front of the fault
     *     are here
     */
    public boolean fill(EventsDecoder events) throws TraceFormatException {
        return fill(events, RecordRows.FULL);
    }

    /** As {@link #fill(EventsDecoder)}, but no record is begun behind so many words. */
    public boolean fill(EventsDecoder events, int most) throws TraceFormatException {
        return events.fill(rows, most);
    }

    @Override
    public void give(EventConsumer consumer) {
        consumer.rows(rows);
    }

    @Override
    public void skim(EventConsumer consumer) {
        for (int i = 0; i < rows.ringCount(); i++) {
            consumer.ring(rows.ring(i));
        }
    }
}
