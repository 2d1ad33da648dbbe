package dev.madt.trace.buffer;

/**
 * The order of the records and the ring events of a process. A record with epoch <i>e</i> comes
 * behind the events with tickets below <i>e</i> and in front of the event with ticket <i>e</i>. A
 * record's header has the low 32 bits of its epoch.
 *
 * <pre>
 *   event 6 | record, epoch 7 | record, epoch 7 | event 7 | event 8 | record, epoch 9
 * </pre>
 *
 * <p>{@code madt-native/encode/order.h} says the same in C.
 */
public final class EventOrder {
    /** The ticket of an event that does not come: all records go in front of it. */
    public static final long NEVER = Long.MAX_VALUE;

    private EventOrder() {}

    /** Returns whether a record goes in front of the event with a ticket. */
    public static boolean isRecordFirst(long epoch, long ticket) {
        return epoch <= ticket;
    }

    /** Returns whether an event goes in front of the records with an epoch. */
    public static boolean isEventFirst(long ticket, long epoch) {
        return !isRecordFirst(epoch, ticket);
    }

    /**
     * Returns the epoch of a record, all 64 bits: the nearest to that of the record in front of it.
     * A handler may interrupt its thread between reading the epoch and writing the header, so
     * epochs step back a little.
     *
     * @param before epoch of the record in front
     */
    public static long epoch(long before, long header) {
        return before + ((int) header - (int) before);
    }
}
