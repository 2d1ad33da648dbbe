package dev.madt.trace.event;

/**
 * An event of the ring: allocation, mapping, module, thread or marker. What the numbers mean
 * depends on the type; see {@code enum madt_event_type} in madt_layout.h.
 *
 * @param epoch the event's ticket, which is the allocation epoch
 * @param name file name for module and mapping events, else empty
 * @param code innermost code word: in the buffer a return address, in a trace the call's address
 *     with bit 63 set after a tail call; 0 if the event has none
 */
public record RingEvent(
        RingEventType type,
        int thread,
        long epoch,
        long address,
        long size,
        long old,
        long oldSize,
        String name,
        long code) {

    /** An event, or run, of a kind that is not known. */
    public static RingEvent unknown(int thread, long epoch) {
        return new RingEvent(RingEventType.UNKNOWN, thread, epoch, 0, 0, 0, 0, "", 0);
    }

    /** This event with another ticket. */
    public RingEvent at(long ticket) {
        return new RingEvent(type, thread, ticket, address, size, old, oldSize, name, code);
    }
}
