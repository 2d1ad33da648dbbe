package dev.madt.tracker;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Ring events that wait, first in, first out, as numbers: an event is an object no earlier than when it is taken. It grows as it must. Not for
 * use by several threads.
 *
 * <pre>
 *   row   | type, thread | epoch | address | size | old | old size | code word | 1: has a name |
 * </pre>
 */
public final class RingEvents {
    private static final int ROW = 8;
    private static final int EPOCH = 1;
    private static final int ADDRESS = 2;
    private static final int SIZE = 3;
    private static final int OLD = 4;
    private static final int OLD_SIZE = 5;
    private static final int CODE = 6;
    private static final int NAMED = 7;

    private long[] rows = new long[ROW << 8];
    /** Of the events that have one, in their order. */
    private final Deque<String> names = new ArrayDeque<>();
    private int first;
    private int count;

    public boolean isEmpty() {
        return count == 0;
    }

    /** Adds an event behind the others. */
    public void add(RingEvent event) {
        add(event.type(), event.thread(), event.epoch(), event.address(), event.size(), event.old(), event.oldSize(), event.name(),
                event.code());
    }

    /** The same of its components. */
    void add(RingEventType type, int thread, long epoch, long address, long size, long old, long oldSize, String name, long code) {
        if (ROW * count == rows.length) {
            grow();
        }
        int at = first + ROW * count & rows.length - 1;
        rows[at] = (long) thread << 32 | type.code();
        rows[at + EPOCH] = epoch;
        rows[at + ADDRESS] = address;
        rows[at + SIZE] = size;
        rows[at + OLD] = old;
        rows[at + OLD_SIZE] = oldSize;
        rows[at + CODE] = code;
        rows[at + NAMED] = name.isEmpty() ? 0 : 1;
        if (!name.isEmpty()) {
            names.add(name);
        }
        count++;
    }

    private void grow() {
        int length = rows.length;
        rows = Arrays.copyOf(rows, 2 * length);
        System.arraycopy(rows, 0, rows, length, first);
    }

    /** Type of the first event; there must be one. */
    public RingEventType type() {
        return RingEventType.of((int) rows[first]);
    }

    /** Its epoch. */
    public long epoch() {
        return rows[first + EPOCH];
    }

    /** Its code word. */
    public long code() {
        return rows[first + CODE];
    }

    /** Takes the first event; there must be one. */
    public RingEvent remove() {
        return remove(code());
    }

    /** The same with another code word. */
    public RingEvent remove(long code) {
        int at = first;
        first = at + ROW & rows.length - 1;
        count--;
        return new RingEvent(RingEventType.of((int) rows[at]), (int) (rows[at] >>> 32), rows[at + EPOCH], rows[at + ADDRESS],
                rows[at + SIZE], rows[at + OLD], rows[at + OLD_SIZE], rows[at + NAMED] == 0 ? "" : names.remove(), code);
    }
}
