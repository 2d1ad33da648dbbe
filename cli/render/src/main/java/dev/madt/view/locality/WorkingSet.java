package dev.madt.view.locality;

import dev.madt.view.report.LineSlots;
import dev.madt.view.toolkit.Table;
import java.util.Arrays;
import java.util.List;

/**
 * The working set W(t, T) of Denning, "The working set model for program behavior", Communications
 * of the ACM 11(5), 1968: the lines that were accessed within the last T accesses, here at the end
 * of each T accesses. A line costs as much as {@link LineSlots} says, a window 16 bytes.
 */
final class WorkingSet {
    static final List<String> HEADINGS =
            List.of("window", "accesses", "lines", "bytes", "new lines");

    private static final int SOME = 64;

    private final long length;
    private final int lineBytes;
    private final LineSlots windows = new LineSlots();
    private long[] lines = new long[SOME];
    private long[] fresh = new long[SOME];
    private int window;
    private long count;
    private long last = -1;

    /** @param length accesses of a window */
    WorkingSet(long length, int lineBytes) {
        this.length = length;
        this.lineBytes = lineBytes;
    }

    /** An access begins; its lines come then. */
    void access() {
        if (count == length) {
            count = 0;
            window++;
            last = -1;
            if (window == lines.length) {
                lines = Arrays.copyOf(lines, 2 * window);
                fresh = Arrays.copyOf(fresh, 2 * window);
            }
        }
        count++;
    }

    void line(long line) {
        if (line == last) {
            return;
        }
        last = line;
        int before = windows.put(line, window);
        if (before != window) {
            lines[window]++;
            fresh[window] += before < 0 ? 1 : 0;
        }
    }

    long length() {
        return length;
    }

    /** Returns how many windows there are; the last one may be shorter. */
    int windows() {
        return count == 0 ? 0 : window + 1;
    }

    long bytes(int of) {
        return lines[of] * lineBytes;
    }

    Table table(int top) {
        Table table = new Table("windows", HEADINGS);
        int shown = top > 0 ? Math.min(top, windows()) : windows();
        for (int i = 0; i < shown; i++) {
            table.row((long) i, i < window ? length : count, lines[i], bytes(i), fresh[i]);
        }
        return table.hidden(windows() - shown);
    }

    /** Returns whether there is a whole window. */
    boolean isWhole() {
        return whole() > 0;
    }

    private int whole() {
        return count == length ? windows() : window;
    }

    /** Returns the mean of whole windows, in lines. */
    double mean() {
        return Arrays.stream(lines, 0, whole()).average().orElse(0);
    }
}
