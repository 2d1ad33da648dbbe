package dev.madt.tracker;

import java.util.Map;

/**
 * The clock of a trace: what the time words of calls mean (docs/FORMAT.md, META). Nanoseconds count
 * from the beginning of the recording, in all of its traces alike.
 *
 * @param start the time stamp counter at the beginning of the recording
 * @param hertz its ticks in a second
 */
public record TraceClock(long start, long hertz) {
    private static final double NANOS = 1e9;

    /** The clock that a trace tells of, or null if it has no times. */
    public static TraceClock of(Map<String, String> meta) {
        try {
            long hertz = Long.parseLong(meta.getOrDefault("clock_hz", "0"));
            return hertz <= 0
                    ? null
                    : new TraceClock(Long.parseLong(meta.getOrDefault("clock_start", "0")), hertz);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Nanoseconds from the beginning of the recording to a time. */
    public long time(long ticks) {
        return span(ticks - start);
    }

    /** A difference of two times in nanoseconds. */
    public long span(long ticks) {
        return Math.round(ticks * (NANOS / hertz));
    }
}
