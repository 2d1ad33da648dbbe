package dev.madt.trace.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The payload of a META frame: what is known of the run as keys and values. docs/FORMAT.md lists
 * the keys.
 */
public final class MetaFrame extends PayloadFrame {
    /** The keys whose values have several lines. */
    private static final Set<String> LISTS = Set.of(
            "builds",
            "unrecorded",
            "unrecorded_programs",
            "trap_places",
            "windows",
            "instruments",
            "instrument_places",
            "instrument_texts",
            "rate_limited",
            "thread_names");

    public MetaFrame() {
        super(FrameType.META);
    }

    public MetaFrame add(String key, String value) {
        payload.string(key).string(value);
        return this;
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
            String key = cursor.string();
            values.put(key, LISTS.contains(key) ? cursor.lines() : cursor.string());
        }
        return values;
    }
}
