package dev.madt.trace.buffer;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
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

    /** Takes events from slots: {@code madt_ring_take} in {@code encode.h}. */
    @FunctionalInterface
    public interface Slots {
        /**
         * Moves READY events that are sound to rows ({@link RingRow}), of which a row with a name
         * has its offset among the names, and frees their slots.
         *
         * @param ticket of the first
         * @param rows a ring of them
         * @param place index in it of the first row that is free
         * @param most how many there may be
         * @return their number, and in the upper half how many of them have names
         */
        long take(long ticket, LongBuffer rows, int place, int most);

        /**
         * Returns whether a slot was ever written. One that was not may have no memory: its writer
         * found the file system full, and a look at it would be a SIGBUS.
         */
        default boolean isWritten(long ticket) {
            return true;
        }
    }

    private final SharedMemory memory;
    private final Slots slots;
    private long next;
    /** Slots that have been passed and not given back. */
    private int passed;

    private int abandoned;

    /**
     * @param control mapping of the control file, readable and writable
     * @param slots takes events from it
     * @throws MalformedBufferException if it is too short or not a control file of this version
     */
    public EventRing(ByteBuffer control, Slots slots) throws MalformedBufferException {
        memory = new SharedMemory(control);
        this.slots = slots;
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
     * Adds what comes next to {@code events}; returns how many there were, 0 when the next slot is
     * not READY.
     *
     * @throws MalformedBufferException if the next slot holds no event; the slot is passed, the
     *     next call goes on behind it
     */
    public int take(RingEvents events) throws MalformedBufferException {
        int place = events.reserve(BATCH);
        long taken = slots.take(next, events.rows(), place, BATCH);
        int count = (int) taken;
        if (count == 0) {
            passMalformed();
            giveBack();
            return 0;
        }
        if (taken >>> Integer.SIZE == 0) {
            events.added(count);
        } else {
            events.added(count, this::name);
        }
        passed(count);
        return count;
    }

    /**
     * Adds what comes next of a target that has ended; false when there is no more. Slots that a
     * writer took and did not finish are passed over and counted; behind them there may be some
     * without memory.
     */
    public boolean takeDead(RingEvents events) throws MalformedBufferException {
        long written = written();
        if (written - next > SharedLayout.RING_SLOTS || written - next < 0) {
            throw malformed(
                    SharedLayout.Control.RING_WRITE,
                    "ticket " + written + " with " + next + " to be read next");
        }
        while (next < written) {
            boolean there = slots.isWritten(next);
            if (there && take(events) > 0) {
                return true;
            }
            abandoned++;
            if (there) {
                pass(slot(next));
            } else {
                passed(1);
            }
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

    /** Slots that {@link #takeDead} passed over. */
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
        passed(1);
    }

    private void passed(int count) {
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

    /** Says what is wrong with a READY slot whose event was not taken, if anything is. */
    private void passMalformed() throws MalformedBufferException {
        int slot = slot(next);
        if (memory.getIntAcquire(slot + SharedLayout.Event.MARKER) != SharedLayout.READY) {
            return;
        }
        MalformedBufferException cause = malformed(slot);
        if (cause != null) {
            pass(slot);
            throw cause;
        }
    }

    /** Null if nothing is wrong with it: then it became READY after it was looked at. */
    private MalformedBufferException malformed(int slot) {
        long ticket = memory.getLong(slot + SharedLayout.Event.TICKET);
        if (ticket != next) {
            return malformed(
                    slot + SharedLayout.Event.TICKET,
                    "ticket " + ticket + " where " + next + " is due");
        }
        int callers = memory.getShort(slot + SharedLayout.Event.CALLERS);
        if (callers > SharedLayout.EVENT_CALLERS) {
            return malformed(
                    slot + SharedLayout.Event.CALLERS,
                    callers + " callers, at most " + SharedLayout.EVENT_CALLERS + " fit");
        }
        int type = memory.getShort(slot + SharedLayout.Event.TYPE);
        if (RingEventType.ofTrace(type) == RingEventType.UNKNOWN) {
            return malformed(slot + SharedLayout.Event.TYPE, "unknown event type " + type);
        }
        return malformedName(slot);
    }

    private MalformedBufferException malformedName(int slot) {
        int offset = memory.getInt(slot + SharedLayout.Event.NAME);
        if (offset < 0 || offset >= SharedLayout.NAMES_SIZE) {
            return malformed(
                    slot + SharedLayout.Event.NAME,
                    "name at " + Integer.toUnsignedString(offset) + " of "
                            + SharedLayout.NAMES_SIZE);
        }
        return offset == 0 || offset + length(offset) < SharedLayout.NAMES_SIZE
                ? null
                : malformed(SharedLayout.NAMES_OFFSET + offset, "name without an end");
    }

    /** Bytes in front of the NUL or the end of the names. */
    private int length(int offset) {
        int length = 0;
        while (offset + length < SharedLayout.NAMES_SIZE
                && memory.getByte(SharedLayout.NAMES_OFFSET + offset + length) != 0) {
            length++;
        }
        return length;
    }

    private String name(long offset) {
        int at = (int) offset;
        byte[] bytes = new byte[length(at)];
        memory.copy(SharedLayout.NAMES_OFFSET + at, bytes, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static MalformedBufferException malformed(long offset, String cause) {
        return new MalformedBufferException(PART, offset, cause);
    }
}
