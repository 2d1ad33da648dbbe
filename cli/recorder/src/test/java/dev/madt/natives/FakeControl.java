package dev.madt.natives;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.layout.SharedLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A control file in memory, and the target's side of its event ring. Several threads may write at
 * once.
 */
final class FakeControl {
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(SharedLayout.CONTROL_SIZE).order(ByteOrder.LITTLE_ENDIAN);

    FakeControl() {
        bytes.putLong(SharedLayout.Control.MAGIC, SharedLayout.CONTROL_MAGIC);
        bytes.putInt(SharedLayout.Control.VERSION, SharedLayout.LAYOUT_VERSION);
        bytes.putLong(SharedLayout.Control.RING_FREE, SharedLayout.RING_SLOTS);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    long free() {
        return (long) LONG.getAcquire(bytes, SharedLayout.Control.RING_FREE);
    }

    /** Takes a slot, if there is one, and marks it BUSY; returns its ticket, or -1. */
    long take() {
        if ((long) LONG.getAndAdd(bytes, SharedLayout.Control.RING_FREE, -1L) <= 0) {
            LONG.getAndAdd(bytes, SharedLayout.Control.RING_FREE, 1L);
            return -1;
        }
        long ticket = (long) LONG.getAndAdd(bytes, SharedLayout.Control.RING_WRITE, 1L);
        INT.setRelease(bytes, slot(ticket) + SharedLayout.Event.MARKER, SharedLayout.BUSY);
        bytes.putLong(slot(ticket) + SharedLayout.Event.TICKET, ticket);
        return ticket;
    }

    void publish(long ticket) {
        INT.setRelease(bytes, slot(ticket) + SharedLayout.Event.MARKER, SharedLayout.READY);
    }

    /** Records a malloc; false if the ring is full. */
    boolean malloc(int thread, long address, long size, long caller) {
        long ticket = take();
        if (ticket < 0) {
            return false;
        }
        int slot = slot(ticket);
        bytes.putShort(slot + SharedLayout.Event.TYPE, (short) RingEventType.MALLOC.code());
        bytes.putShort(slot + SharedLayout.Event.CALLERS, (short) (caller == 0 ? 0 : 1));
        bytes.putInt(slot + SharedLayout.Event.THREAD, thread);
        bytes.putLong(slot + SharedLayout.Event.ADDRESS, address);
        bytes.putLong(slot + SharedLayout.Event.SIZE, size);
        bytes.putLong(slot + SharedLayout.Event.CALLER, caller);
        publish(ticket);
        return true;
    }

    void name(int offset, String name) {
        bytes.put(
                SharedLayout.NAMES_OFFSET + offset, (name + "\0").getBytes(StandardCharsets.UTF_8));
    }

    static int slot(long ticket) {
        return SharedLayout.RING_OFFSET
                + (int) (ticket % SharedLayout.RING_SLOTS) * SharedLayout.Event.BYTES;
    }
}
