package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import dev.madt.trace.buffer.EventRing;
import java.nio.LongBuffer;

/** Takes events from the slots of a ring: {@code madt-native/encode/encode.h}. */
public final class RingSlots implements EventRing.Slots {
    private final long control;
    /** Says where events were put last, and its address. */
    private LongBuffer rows;

    private long address;

    /** @param control address of the control file */
    public RingSlots(long control) {
        this.control = control;
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
