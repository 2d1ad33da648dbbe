package dev.madt.resolver.line;

import java.util.Map;

/**
 * Tells whether a trace holds all accesses to the blocks that it knows: only then is it known which
 * of them nobody accesses.
 */
public final class RecordedLives {
    private RecordedLives() {}

    /** Why the trace with these values may lack some; null if it does not. */
    public static String doubt(Map<String, String> meta) {
        RecordingWindows windows = new RecordingWindows(null);
        windows.meta(meta);
        if (!windows.isWhole()) {
            return "only windows were recorded (" + meta.get("start") + ")";
        }
        if (meta.containsKey("calls_within")) {
            return "only a part of the accesses was recorded (" + meta.get("calls_within") + ")";
        }
        if (meta.containsKey("heap")) {
            return "the heap was not recorded, or a part of it (" + meta.get("only") + ")";
        }
        if (!meta.getOrDefault("forgotten", "0").equals("0")) {
            return "only the newest events were kept (--last " + meta.get("last") + ")";
        }
        if (!meta.getOrDefault("access_errors", "0").equals("0")) {
            return "accesses were lost";
        }
        String extent = meta.getOrDefault("completeness", "");
        return extent.startsWith("ended at the limit") ? "the recording " + extent : null;
    }
}
