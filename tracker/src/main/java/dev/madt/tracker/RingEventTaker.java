package dev.madt.tracker;

/** Takes ring events, one by one. */
@FunctionalInterface
public interface RingEventTaker {
    void take(RingEvent event);
}
