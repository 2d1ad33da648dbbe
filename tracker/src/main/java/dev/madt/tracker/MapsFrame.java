package dev.madt.tracker;

/** MAPS. */
public final class MapsFrame {
    public MapsFrame forget(long start, long end) {
        throw new UnsupportedOperationException("not yet");
    }

    public MapsFrame add(int kind, int protection, long start, long end, long origin, String label) {
        throw new UnsupportedOperationException("not yet");
    }

    public int size() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    public Frame build(int pid, int tid) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Calls mapsForget and mapsAdd of the consumer. */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        throw new UnsupportedOperationException("not yet");
    }
}
