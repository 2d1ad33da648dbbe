package dev.madt.tracker;

/** SYMS. */
public final class SymbolsFrame {
    public SymbolsFrame forget(long start, long end) {
        throw new UnsupportedOperationException("not yet");
    }

    public SymbolsFrame add(boolean code, long address, long size, String name) {
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

    /** Calls symbolsForget and symbol of the consumer. */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        throw new UnsupportedOperationException("not yet");
    }
}
