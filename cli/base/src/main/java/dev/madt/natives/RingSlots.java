package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import dev.madt.trace.buffer.EventRing;
import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;
import java.util.function.IntPredicate;

/** Takes events from the slots of a ring: {@code madt-native/encode/encode.h}. */
public final class RingSlots implements EventRing.Slots {
    private final long control;
    private final IntPredicate written;
    /** Says where events were put last, and its address. */
    private LongBuffer rows;

    private long address;

    /**
     * @param control address of the control file
     * @param written says of an offset in it whether a number there is not 0, without a look at the
     *     mapping
     */
    public RingSlots(long control, IntPredicate written) {
        this.control = control;
        this.written = written;
    }

    @Override
    public boolean isWritten(long ticket) {
        return written.test(SharedLayout.RING_OFFSET
                + (int) (ticket % SharedLayout.RING_SLOTS) * SharedLayout.Event.BYTES
                + SharedLayout.Event.MARKER);
    }

    @Override
    public long take(long ticket, LongBuffer to, int place, int most) {
        if (to != rows) {
            rows = to;
            address = MemoryIO.getInstance().getDirectBufferAddress(to);
        }
        return NativeRecordEncoder.takeFromRing(
                control, ticket, address, to.capacity() - 1, place, most);
    }
}
