package dev.madt.tracker;

import java.util.Map;

/** META. */
public final class MetaFrame {
    public MetaFrame add(String key, String value) {
        throw new UnsupportedOperationException("not yet");
    }

    public int size() {
        throw new UnsupportedOperationException("not yet");
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The frame of everything added; the builder is empty afterwards. */
    public Frame build(int pid, int tid) {
        throw new UnsupportedOperationException("not yet");
    }

    public static Map<String, String> decode(Frame frame) throws TraceFormatException {
        throw new UnsupportedOperationException("not yet");
    }
}
