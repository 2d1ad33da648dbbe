package dev.madt.tracker;

import java.util.LinkedHashMap;
import java.util.Map;

/** The payload of a META frame: what is known of the run as keys and values. docs/FORMAT.md lists the keys. */
public final class MetaFrame {
    private final PayloadBytes payload = new PayloadBytes();

    public MetaFrame add(String key, String value) {
        payload.string(key).string(value);
        return this;
    }

    /** Bytes of payload so far. */
    public int size() {
        return payload.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The frame of everything added; the builder is empty afterwards. */
    public Frame build(int pid, int tid) {
        return payload.frame(FrameType.META, pid, tid);
    }

    /**
     * Keys and values in the order of the payload; of a key that comes twice the later value.
     *
     * @throws TraceFormatException if the payload is malformed
     */
    public static Map<String, String> decode(Frame frame) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.META);
        Map<String, String> values = new LinkedHashMap<>();
        while (!cursor.atEnd()) {
            values.put(cursor.string(), cursor.string());
        }
        return values;
    }
}
