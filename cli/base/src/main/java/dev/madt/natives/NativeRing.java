package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import dev.madt.trace.buffer.EventRing;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;

/**
 * Takes events of malloc, calloc and free from a ring several at a time:
 * {@code madt-native/encode/encode.h}. All others are left to {@link EventRing#poll}.
 */
public final class NativeRing {
    /** Slots that are given back together. */
    private static final int MOST = 256;

    private final long slots;
    /** Where events were put last, and its address. */
    private LongBuffer rows;

    private long address;

    public NativeRing(SharedMapping control) {
        slots = control.address(SharedLayout.RING_OFFSET);
    }

    /**
     * Moves what comes next in the ring behind the events that wait; returns how many there were.
     */
    public int take(EventRing ring, RingEvents waiting) {
        int place = waiting.reserve(MOST);
        if (waiting.rows() != rows) {
            rows = waiting.rows();
            address = MemoryIO.getInstance().getDirectBufferAddress(rows);
        }
        int taken = (int) NativeRunEncoder.takeFromRing(
                slots, ring.read(), address, rows.capacity() - 1, place, MOST);
        waiting.added(taken);
        ring.passed(taken);
        return taken;
    }
}
