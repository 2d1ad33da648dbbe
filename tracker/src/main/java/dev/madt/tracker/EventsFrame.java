package dev.madt.tracker;

/** EVTS: words of one thread. */
public final class EventsFrame {
    public EventsFrame run(int run, long epoch, long[] words, int from, int count) {
        throw new UnsupportedOperationException("not yet");
    }

    public EventsFrame event(RingEvent event) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Bytes of payload so far. */
    public int size() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public Frame build(int pid, int tid) {
        throw new UnsupportedOperationException("not yet");
    }
}
