package dev.madt.tracker;

/** RUNS. */
public final class RunsFrame {
    public RunsFrame add(int run, Site[] sites) {
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

    /** Takes the runs of a frame. */
    @FunctionalInterface
    public interface Visitor {
        void run(int run, Site[] sites);
    }

    public static void decode(Frame frame, Visitor visitor) throws TraceFormatException {
        throw new UnsupportedOperationException("not yet");
    }
}
