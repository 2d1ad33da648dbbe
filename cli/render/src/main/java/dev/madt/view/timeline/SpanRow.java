package dev.madt.view.timeline;

import java.util.Arrays;
import java.util.List;

/**
 * The calls at one depth of a lane, in the order of time. A span is a call, or several that are
 * merged: short ones that lie close to each other.
 */
final class SpanRow {
    private static final int FIRST = 8;

    private int size;
    /** Start of the call that is open; negative: none. */
    private long open = -1;

    private long[] starts = new long[FIRST];
    private long[] ends = new long[FIRST];
    /** Time in calls: without waits for MadT, and without gaps between merged calls. */
    private long[] lengths = new long[FIRST];
    /** Of a call its own time; of several the length of the longest. */
    private long[] details = new long[FIRST];

    private long[] accesses = new long[FIRST];
    private long[] bytes = new long[FIRST];
    /** Numbers of the first and the last event. */
    private long[] firsts = new long[FIRST];

    private long[] lasts = new long[FIRST];

    /** Of several calls that of the longest. */
    private int[] functions = new int[FIRST];

    private int[] counts = new int[FIRST];
    private Call.Ending[] endings = new Call.Ending[FIRST];
    /** Arguments and results of calls; null where no call has any. */
    private String[] said;

    /** A call begins that will be added. */
    void begin(long start) {
        open = Math.max(0, start);
    }

    void add(Call call) {
        open = -1;
        if (size == starts.length) {
            grow();
        }
        starts[size] = Math.max(0, call.start());
        ends[size] = Math.max(starts[size] + call.length(), call.end());
        lengths[size] = call.length();
        details[size] = call.self();
        accesses[size] = call.accesses();
        bytes[size] = call.bytes();
        firsts[size] = call.first();
        lasts[size] = call.last();
        functions[size] = call.function().number();
        counts[size] = 1;
        endings[size] = call.ending();
        String text = call.said();
        if (said == null && text != null) {
            said = new String[starts.length];
        }
        if (said != null) {
            said[size] = text;
        }
        size++;
    }

    private void grow() {
        int room = 2 * size;
        starts = Arrays.copyOf(starts, room);
        ends = Arrays.copyOf(ends, room);
        lengths = Arrays.copyOf(lengths, room);
        details = Arrays.copyOf(details, room);
        accesses = Arrays.copyOf(accesses, room);
        bytes = Arrays.copyOf(bytes, room);
        firsts = Arrays.copyOf(firsts, room);
        lasts = Arrays.copyOf(lasts, room);
        functions = Arrays.copyOf(functions, room);
        counts = Arrays.copyOf(counts, room);
        endings = Arrays.copyOf(endings, room);
        said = said == null ? null : Arrays.copyOf(said, room);
    }

    /**
     * Merges calls that are shorter than {@code least} with those beside them, where the gap is
     * shorter than that too, and no call in the row above that stays alone begins or ends between
     * them.
     *
     * @param above the row of the callers, which has been merged already; may be null
     * @param kept so many of a function's longest calls stay alone
     */
    void merge(long least, SpanRow above, List<CalledFunction> called, int kept) {
        int to = 0;
        boolean joinable = false;
        int caller = 0;
        long callerEnd = 0;
        for (int i = 0; i < size; i++) {
            boolean border = false;
            for (;
                    above != null && caller < above.size && above.starts[caller] <= starts[i];
                    caller++) {
                if (!above.isSmall(caller, least, called, kept)) {
                    border = true;
                    callerEnd = above.ends[caller];
                }
            }
            border |= to > 0 && isBetween(callerEnd, to - 1, i);
            border |= to > 0 && above != null && isBetween(above.open, to - 1, i);
            boolean small = isSmall(i, least, called, kept);
            if (small && joinable && !border && starts[i] - ends[to - 1] < least) {
                join(to - 1, i);
            } else {
                move(i, to++);
            }
            joinable = small;
        }
        Arrays.fill(endings, to, size, null);
        if (said != null) {
            Arrays.fill(said, to, size, null);
        }
        size = to;
    }

    /** Returns whether a position lies between the starts of two spans. */
    private boolean isBetween(long position, int first, int second) {
        return position > starts[first] && position <= starts[second];
    }

    private boolean isSmall(int at, long least, List<CalledFunction> called, int kept) {
        return counts[at] > 1
                || ends[at] - starts[at] < least
                        && endings[at] != Call.Ending.OPEN
                        && !called.get(functions[at]).isKept(lengths[at], starts[at], kept);
    }

    private void join(int to, int from) {
        long before = counts[to] == 1 ? lengths[to] : details[to];
        long more = counts[from] == 1 ? lengths[from] : details[from];
        functions[to] = more > before ? functions[from] : functions[to];
        details[to] = Math.max(before, more);
        ends[to] = Math.max(ends[to], ends[from]);
        lengths[to] += lengths[from];
        accesses[to] += accesses[from];
        bytes[to] += bytes[from];
        lasts[to] = Math.max(lasts[to], lasts[from]);
        counts[to] += counts[from];
        if (said != null) {
            said[to] = null;
        }
    }

    private void move(int from, int to) {
        starts[to] = starts[from];
        ends[to] = ends[from];
        lengths[to] = lengths[from];
        details[to] = details[from];
        accesses[to] = accesses[from];
        bytes[to] = bytes[from];
        firsts[to] = firsts[from];
        lasts[to] = lasts[from];
        functions[to] = functions[from];
        counts[to] = counts[from];
        endings[to] = endings[from];
        if (said != null) {
            said[to] = said[from];
        }
    }

    /** Spans. */
    int size() {
        return size;
    }

    long start(int at) {
        return starts[at];
    }

    long end(int at) {
        return ends[at];
    }

    /** Time in calls. */
    long length(int at) {
        return lengths[at];
    }

    /** Of a call its own time; of several the length of the longest. */
    long detail(int at) {
        return details[at];
    }

    long accesses(int at) {
        return accesses[at];
    }

    long bytes(int at) {
        return bytes[at];
    }

    /** Number of the first event. */
    long first(int at) {
        return firsts[at];
    }

    /** Number of the last event. */
    long last(int at) {
        return lasts[at];
    }

    /** Number of the function; of several calls that of the longest. */
    int function(int at) {
        return functions[at];
    }

    /** Calls. */
    int count(int at) {
        return counts[at];
    }

    /** Arguments and result of a call, as behind its name; null if they are not known. */
    String said(int at) {
        return said == null ? null : said[at];
    }

    Call.Ending ending(int at) {
        return endings[at];
    }
}
