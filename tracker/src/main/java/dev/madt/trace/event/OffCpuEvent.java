package dev.madt.trace.event;

/** Says what an OFF_CPU event says: a thread had no processor for a while. */
public final class OffCpuEvent {
    private OffCpuEvent() {}

    /**
     * Returns who had the processor of the thread, which would have gone on, for the longest time;
     * {@code ?} if that is not known; null if the thread waited.
     */
    public static String preemptedBy(TraceEvent.OffCpu event) {
        return event.who1() == 0 ? null : EventWord.text(event.who1(), event.who2());
    }
}
