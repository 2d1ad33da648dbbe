package dev.madt.trace.event;

/** Takes ring events, one by one. */
@FunctionalInterface
public interface RingEventTaker {
    void take(TraceEvent event);
}
