package dev.madt.trace.buffer;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;

/**
 * Ring events that wait, first in, first out, as numbers: an event is an object no earlier than
 * when it is taken. It grows as it must. The rows are in direct memory, where a library can take
 * and add them: {@link RingRow}. Not for use by several threads.
 */
public final class RingEvents implements AutoCloseable {
    private static final int ROW = RingRow.ALL;
    private static final int FIRST_ROWS = 1 << 8;

    /**
     * Rows that closed ones had: memory of this kind comes back late, so that a program of many
     * short processes would take more and more of it.
     */
    private static final Deque<LongBuffer> SPARE = new ArrayDeque<>();

    private static final int MOST_SPARE = 64;
    private static final int LARGEST_SPARE = 1 << 12;

    private LongBuffer rows = firstRows();
    /** Of the events that have one, in their order. */
    private final Deque<String> names = new ArrayDeque<>();

    private int first;
    private int count;

    private static LongBuffer firstRows() {
        synchronized (SPARE) {
            return SPARE.isEmpty() ? rows(FIRST_ROWS) : SPARE.pop();
        }
    }

    private static LongBuffer rows(int count) {
        return ByteBuffer.allocateDirect(Long.BYTES * ROW * count)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * The rows: a power of two of numbers; it is another memory after {@link #reserve} and each
     * addition.
     */
    public LongBuffer rows() {
        return rows;
    }

    /** Index in {@link #rows} at which the first event begins. */
    public int first() {
        return first;
    }

    /** Returns how many wait. */
    public int count() {
        return count;
    }

    /**
     * Makes room for so many more; returns the index in {@link #rows} of the next one, where the
     * rest follows as in a ring.
     */
    public int reserve(int more) {
        while (ROW * (count + more) > rows.capacity()) {
            grow();
        }
        return first + ROW * count & rows.capacity() - 1;
    }

    /** So many events without names have been put there. */
    void added(int more) {
        count += more;
    }

    /** So many events have been put there, some of whose rows have a number for a name. */
    void added(int more, LongFunction<String> name) {
        for (int i = 0; i < more; i++) {
            int at = first + ROW * (count + i) & rows.capacity() - 1;
            long named = RingRow.NAMED.of(rows, at);
            if (named != 0) {
                names.add(name.apply(named));
                RingRow.NAMED.put(rows, at, 1);
            }
        }
        count += more;
    }

    /** The first events, which had no names, have been taken; so many are left. */
    public void left(int rest) {
        first = first + ROW * (count - rest) & rows.capacity() - 1;
        count = rest;
    }

    /** Adds an event behind the others. */
    public void add(TraceEvent event) {
        int at = reserve(1);
        RingRow.put(rows, at, event);
        if (!event.text().isEmpty()) {
            names.add(event.text());
        }
        count++;
    }

    private void grow() {
        int length = rows.capacity();
        LongBuffer larger = rows(2 * length / ROW);
        larger.put(0, rows, first, length - first).put(length - first, rows, 0, first);
        rows = larger;
        first = 0;
    }

    /** Type of the first event; there must be one. */
    public RingEventType type() {
        return RingEventType.of((int) RingRow.HEAD.of(rows, first));
    }

    /** Its epoch. */
    public long epoch() {
        return RingRow.TICKET.of(rows, first);
    }

    /** Ticket of the first event, or {@link EventOrder#NEVER}. */
    public long due() {
        return isEmpty() ? EventOrder.NEVER : epoch();
    }

    /** Returns whether there is an event, which goes in front of the records with an epoch. */
    public boolean goesBefore(long records) {
        return EventOrder.isEventFirst(due(), records);
    }

    /** Its code word. */
    public long code() {
        return RingRow.CODE.of(rows, first);
    }

    /** Takes the first event; there must be one. */
    public TraceEvent remove() {
        return remove(code());
    }

    /** Takes the first event, with another code word than its own; there must be one. */
    public TraceEvent remove(long code) {
        int at = first;
        first = at + ROW & rows.capacity() - 1;
        count--;
        return TraceEvent.of(
                RingEventType.of((int) RingRow.HEAD.of(rows, at)),
                (int) (RingRow.HEAD.of(rows, at) >>> Integer.SIZE),
                RingRow.TICKET.of(rows, at),
                RingRow.ADDRESS.of(rows, at),
                RingRow.SIZE.of(rows, at),
                RingRow.OLD.of(rows, at),
                RingRow.OLD_SIZE.of(rows, at),
                RingRow.NAMED.of(rows, at) == 0 ? "" : names.remove(),
                code);
    }

    /** Nobody may use it after that. */
    @Override
    public void close() {
        synchronized (SPARE) {
            if (SPARE.size() < MOST_SPARE && rows.capacity() <= ROW * LARGEST_SPARE) {
                SPARE.push(rows);
            }
        }
        rows = null;
    }
}
