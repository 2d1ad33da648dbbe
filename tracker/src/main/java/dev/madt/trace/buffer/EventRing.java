package dev.madt.trace.buffer;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The reading side of the event ring: Feather-Trace's wait-free protocol with many writers, all of
 * them in the target, and one reader, this object (B. Brandenburg, J. Anderson,
 * <i>Feather-Trace</i>, OSPERT 2007). Each call takes constant time and never waits. Not for use by
 * several threads.
 *
 * <pre>
 *   ring_read                 ring_write
 *       v                         v
 *   ... | READY | READY | BUSY | FREE ...     slot of ticket t: t modulo RING_SLOTS
 * </pre>
 *
 * <p>Slots are given back {@value #BATCH} at a time, and when there is nothing more to read: each
 * time costs the writers the line of the cache in which the number of free ones stands.
 */
public final class EventRing {
    private static final String PART = "control file";
    private static final int BATCH = 256;

    private final SharedMemory memory;
    private long next;
    /** Slots that have been passed and not given back. */
    private int passed;

    private int abandoned;

    /**
     * @param control mapping of the control file, readable and writable
     * @throws MalformedBufferException if it is too short or not a control file of this version
     */
    public EventRing(ByteBuffer control) throws MalformedBufferException {
        memory = new SharedMemory(control);
        if (memory.size() < SharedLayout.CONTROL_SIZE) {
            throw malformed(
                    memory.size(), "ends here, " + SharedLayout.CONTROL_SIZE + " bytes expected");
        }
        if (memory.getLong(SharedLayout.Control.MAGIC) != SharedLayout.CONTROL_MAGIC) {
            throw malformed(SharedLayout.Control.MAGIC, "not a control file");
        }
        int version = memory.getInt(SharedLayout.Control.VERSION);
        if (version != SharedLayout.LAYOUT_VERSION) {
            throw malformed(
                    SharedLayout.Control.VERSION,
                    "layout version " + version + ", this madt knows "
                            + SharedLayout.LAYOUT_VERSION);
        }
        next = memory.getLongAcquire(SharedLayout.Control.RING_READ);
        if (next < 0) {
            throw malformed(
                    SharedLayout.Control.RING_READ, "ticket " + Long.toUnsignedString(next));
        }
    }

    /**
     * Adds the next event to {@code events}.
     *
     * @return false when the next slot is not READY
     * @throws MalformedBufferException if the slot holds no event; the slot is passed, the next
     *     call goes on behind it
     */
    public boolean poll(RingEvents events) throws MalformedBufferException {
        int slot = slot(next);
        if (memory.getIntAcquire(slot + SharedLayout.Event.MARKER) != SharedLayout.READY) {
            giveBack();
            return false;
        }
        try {
            add(slot, events);
            return true;
        } finally {
            pass(slot);
        }
    }

    /**
     * Adds the next event of a target that has ended; false when there are no more. Slots that a
     * writer took and did not finish are passed over and counted.
     */
    public boolean pollDead(RingEvents events) throws MalformedBufferException {
        long written = written();
        if (written - next > SharedLayout.RING_SLOTS || written - next < 0) {
            throw malformed(
                    SharedLayout.Control.RING_WRITE,
                    "ticket " + written + " with " + next + " to be read next");
        }
        while (next < written) {
            if (poll(events)) {
                return true;
            }
            abandoned++;
            pass(slot(next));
        }
        giveBack();
        return false;
    }

    /** Tickets given out so far, which is the allocation epoch now. */
    public long written() {
        return memory.getLongAcquire(SharedLayout.Control.RING_WRITE);
    }

    /** The next ticket to be read. */
    public long read() {
        return next;
    }

    /** Slots that {@link #pollDead} passed over. */
    public int abandoned() {
        return abandoned;
    }

    private static int slot(long ticket) {
        return SharedLayout.RING_OFFSET
                + (int) (ticket % SharedLayout.RING_SLOTS) * SharedLayout.Event.BYTES;
    }

    /** The marker goes first, since a writer that finds room takes the slot at once. */
    private void pass(int slot) {
        memory.setIntRelease(slot + SharedLayout.Event.MARKER, SharedLayout.FREE);
        next++;
        if (++passed == BATCH) {
            giveBack();
        }
    }

    /**
     * So many events from {@link #read} on have been taken from their slots, and these are free.
     */
    public void passed(int count) {
        next += count;
        passed += count;
        if (passed >= BATCH) {
            giveBack();
        }
    }

    private void giveBack() {
        if (passed > 0) {
            memory.setLongRelease(SharedLayout.Control.RING_READ, next);
            memory.addLongRelease(SharedLayout.Control.RING_FREE, passed);
            passed = 0;
        }
    }

    private void add(int slot, RingEvents events) throws MalformedBufferException {
        long ticket = memory.getLong(slot + SharedLayout.Event.TICKET);
        if (ticket != next) {
            throw malformed(
                    slot + SharedLayout.Event.TICKET,
                    "ticket " + ticket + " where " + next + " is due");
        }
        int callers = memory.getShort(slot + SharedLayout.Event.CALLERS);
        if (callers > SharedLayout.EVENT_CALLERS) {
            throw malformed(
                    slot + SharedLayout.Event.CALLERS,
                    callers + " callers, at most " + SharedLayout.EVENT_CALLERS + " fit");
        }
        events.add(
                type(slot),
                memory.getInt(slot + SharedLayout.Event.THREAD),
                ticket,
                memory.getLong(slot + SharedLayout.Event.ADDRESS),
                memory.getLong(slot + SharedLayout.Event.SIZE),
                memory.getLong(slot + SharedLayout.Event.OLD),
                memory.getLong(slot + SharedLayout.Event.OLD_SIZE),
                name(slot),
                callers == 0 ? 0 : memory.getLong(slot + SharedLayout.Event.CALLER));
    }

    private RingEventType type(int slot) throws MalformedBufferException {
        int code = memory.getShort(slot + SharedLayout.Event.TYPE);
        try {
            return RingEventType.of(code);
        } catch (IllegalArgumentException e) {
            throw malformed(slot + SharedLayout.Event.TYPE, "unknown event type " + code);
        }
    }

    private String name(int slot) throws MalformedBufferException {
        int offset = memory.getInt(slot + SharedLayout.Event.NAME);
        if (offset == 0) {
            return "";
        }
        if (offset < 0 || offset >= SharedLayout.NAMES_SIZE) {
            throw malformed(
                    slot + SharedLayout.Event.NAME,
                    "name at " + Integer.toUnsignedString(offset) + " of "
                            + SharedLayout.NAMES_SIZE);
        }
        int length = 0;
        while (memory.getByte(SharedLayout.NAMES_OFFSET + offset + length) != 0) {
            length++;
            if (offset + length == SharedLayout.NAMES_SIZE) {
                throw malformed(SharedLayout.NAMES_OFFSET + offset, "name without an end");
            }
        }
        byte[] bytes = new byte[length];
        memory.copy(SharedLayout.NAMES_OFFSET + offset, bytes, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static MalformedBufferException malformed(long offset, String cause) {
        return new MalformedBufferException(PART, offset, cause);
    }
}
