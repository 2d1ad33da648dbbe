package dev.madt.trace.buffer;

import dev.madt.trace.event.TraceEvent;
import java.nio.LongBuffer;

/**
 * The numbers of a ring event that waits, in their order: {@code enum row} of the encoder, which
 * takes such rows.
 */
public enum RingRow {
    /** The type, and the thread in the upper half. */
    HEAD,
    TICKET,
    ADDRESS,
    SIZE,
    OLD,
    OLD_SIZE,
    CODE,
    /** 1: it has a name. As the encoder takes the row from the ring: where that is. */
    NAMED;

    /** Says how many numbers a row has. */
    public static final int ALL = values().length;

    /** Writes a row that begins at an index. */
    public static void put(LongBuffer rows, int row, TraceEvent event) {
        HEAD.put(rows, row, (long) event.thread() << Integer.SIZE | event.type().code());
        TICKET.put(rows, row, event.epoch());
        ADDRESS.put(rows, row, event.word(0));
        SIZE.put(rows, row, event.word(1));
        OLD.put(rows, row, event.word(2));
        OLD_SIZE.put(rows, row, event.word(3));
        CODE.put(rows, row, event.code());
        NAMED.put(rows, row, event.text().isEmpty() ? 0 : 1);
    }

    void put(LongBuffer rows, int row, long number) {
        rows.put(row + ordinal(), number);
    }

    /** Returns this number of the row that begins at an index. */
    long of(LongBuffer rows, int row) {
        return rows.get(row + ordinal());
    }
}
