package dev.madt.trace.event;

import java.nio.charset.StandardCharsets;

/** Says what an OFF_CPU event says: a thread had no processor for a while. */
public final class OffCpuEvent {
    private OffCpuEvent() {}

    /**
     * Returns who had the processor of the thread, which would have gone on, for the longest time;
     * {@code ?} if that is not known; null if the thread waited.
     */
    public static String preemptedBy(TraceEvent.OffCpu event) {
        byte[] name = new byte[2 * Long.BYTES];
        int length = 0;
        for (int i = 0; i < name.length; i++) {
            long word = i < Long.BYTES ? event.who1() : event.who2();
            name[i] = (byte) (word >>> Byte.SIZE * i);
            length = name[i] != 0 && length == i ? i + 1 : length;
        }
        return length == 0 ? null : new String(name, 0, length, StandardCharsets.UTF_8);
    }
}
