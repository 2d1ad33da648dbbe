package dev.madt.view.locality;

import dev.madt.view.report.LineSlots;

/**
 * Counts the lines that any intervals in a row touch: of each interval how many lines it touches
 * that were touched last in which one before it. So the intervals need not be known while they are
 * counted, and two of them can become one.
 */
final class SpanLines {
    private final int most;
    private final LineSlots last = new LineSlots();
    /** By interval, and by the one before it that touched a line last, from 1; 0: none did. */
    private final long[][] counts;

    private int halvings;
    private long lastLine = -1;
    private int lastInterval = -1;

    /** @param most intervals */
    SpanLines(int most) {
        this.most = most;
        this.counts = new long[most][most + 1];
    }

    /** @param interval by its number, as if there had been no {@link #halve} */
    void touch(long line, int interval) {
        if (line == lastLine && interval == lastInterval) {
            return;
        }
        lastLine = line;
        lastInterval = interval;
        int before = last.put(line, interval);
        if (before != interval) {
            int from = before < 0 ? 0 : (before >>> halvings) + 1;
            int to = interval >>> halvings;
            if (from != to + 1) {
                counts[to][from]++;
            }
        }
    }

    /** Makes each two intervals one. */
    void halve() {
        halvings++;
        for (int to = 0; to < most; to++) {
            for (int from = 0; from <= most; from++) {
                long count = counts[to][from];
                int intoTo = to / 2;
                int intoFrom = from == 0 ? 0 : (from - 1) / 2 + 1;
                counts[to][from] = 0;
                if (intoFrom != intoTo + 1) {
                    counts[intoTo][intoFrom] += count;
                }
            }
        }
    }

    /** Returns how many lines intervals touch. */
    long lines(int first, int end) {
        long lines = 0;
        for (int to = first; to <= end; to++) {
            for (int from = 0; from <= first; from++) {
                lines += counts[to][from];
            }
        }
        return lines;
    }
}
