package dev.madt.session;

import dev.madt.natives.TimeStamps;

/**
 * Says what the time words of a recording mean. The counter is compared with the kernel's clock
 * twice: when the recording is prepared, and when its first process has begun, some tenths of a
 * second later. All traces of a recording have the same clock.
 */
public final class RecordingClock {
    /** As long as the two readings have to be apart: each is good for some tens of nanoseconds. */
    private static final long LEAST_NANOS = 20_000_000;

    private static final double NANOS = 1e9;

    private final TimeStamps first = TimeStamps.now();
    private long hertz;

    /** The counter at the beginning of the recording. */
    public long start() {
        return first.ticks();
    }

    /** Nanoseconds from the beginning to a time of the counter. */
    public long since(long ticks) {
        return nanos(ticks - start());
    }

    /** A number of ticks in nanoseconds. */
    public long nanos(long ticks) {
        return Math.round(ticks * (NANOS / hertz()));
    }

    /** A number of nanoseconds in ticks. */
    public long ticks(long nanos) {
        return Math.round(nanos * (hertz() / NANOS));
    }

    /** Ticks in a second; the first call measures. */
    public long hertz() {
        if (hertz == 0) {
            TimeStamps last = TimeStamps.now();
            while (last.nanos() - first.nanos() < LEAST_NANOS) {
                Thread.onSpinWait();
                last = TimeStamps.now();
            }
            double ticks = last.ticks() - first.ticks();
            hertz = Math.max(1, Math.round(ticks * NANOS / (last.nanos() - first.nanos())));
        }
        return hertz;
    }
}
