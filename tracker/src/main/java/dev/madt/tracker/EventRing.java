package dev.madt.tracker;

import java.nio.ByteBuffer;

/** The reading side of the event ring. */
public final class EventRing {
    public EventRing(ByteBuffer control) throws MalformedBufferException {
        throw new UnsupportedOperationException("not yet");
    }

    /** The next event, or null when the next slot is not READY. */
    public RingEvent poll() throws MalformedBufferException {
        throw new UnsupportedOperationException("not yet");
    }

    /** The next event of a target that has ended; slots whose writer died in them are passed over and counted. Null: no more. */
    public RingEvent pollDead() throws MalformedBufferException {
        throw new UnsupportedOperationException("not yet");
    }

    /** Tickets given out so far, which is the allocation epoch now. */
    public long written() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The next ticket to be read. */
    public long read() {
        throw new UnsupportedOperationException("not yet");
    }

    /** Slots that {@link #pollDead()} passed over. */
    public int abandoned() {
        throw new UnsupportedOperationException("not yet");
    }
}
