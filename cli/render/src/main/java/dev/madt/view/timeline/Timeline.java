package dev.madt.view.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The calls of a run as spans in lanes and rows. Where there would be more spans than were asked
 * for, the shortest calls are merged with those beside them ({@link SpanRow}). The longest calls of
 * each function, and those that never end, stay alone. Time is in proportion to the calls; memory
 * to the spans that are asked for, twice of which are held.
 */
final class Timeline implements CallSink {
    /** Calls that lie within so many others are counted, not kept. */
    static final int MOST_ROWS = 512;

    private final Functions functions;
    private final int most;
    private final List<List<SpanRow>> lanes = new ArrayList<>();
    private int spans;
    private long calls;
    private long deep;
    private long least;
    private int kept = CalledFunction.KEPT;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /** @param most spans that are wanted */
    Timeline(Functions functions, int most) {
        this.functions = functions;
        this.most = most;
    }

    @Override
    public void at(long position) {
        first = Math.min(first, position);
        last = Math.max(last, position);
    }

    @Override
    public void begin(Call call) {
        if (call.depth() < MOST_ROWS) {
            row(call).begin(call.start());
        }
    }

    private SpanRow row(Call call) {
        while (lanes.size() <= call.lane().number()) {
            lanes.add(new ArrayList<>());
        }
        List<SpanRow> rows = lanes.get(call.lane().number());
        while (rows.size() <= call.depth()) {
            rows.add(new SpanRow());
        }
        return rows.get(call.depth());
    }

    @Override
    public void end(Call call) {
        if (call.lane().slot() < Lane.LOCKS) {
            calls++;
        }
        if (call.depth() >= MOST_ROWS) {
            deep++;
            return;
        }
        row(call).add(call);
        if (++spans > 2 * most) {
            merge(most + most / 2);
        }
    }

    @Override
    public void finish() {
        if (spans > most) {
            merge(most);
        }
    }

    /** Merges the shortest calls until there are so few spans. */
    private void merge(int few) {
        if (CalledFunction.KEPT * functions.all().size() > most / 4) {
            kept = 1;
        }
        least = Math.max(least, rank(most / 2));
        while (mergeBelow(least) > few && least < Long.MAX_VALUE / 2) {
            least += least / 4 + 1;
        }
    }

    private int mergeBelow(long shortest) {
        spans = 0;
        for (List<SpanRow> rows : lanes) {
            SpanRow above = null;
            for (SpanRow row : rows) {
                row.merge(shortest, above, functions.all(), kept);
                spans += row.size();
                above = row;
            }
        }
        return spans;
    }

    /** So many calls are at least this long, of those that are told apart; 1 at least. */
    private long rank(int wanted) {
        long[] lengths = new long[spans];
        int count = 0;
        for (List<SpanRow> rows : lanes) {
            for (SpanRow row : rows) {
                for (int i = 0; i < row.size(); i++) {
                    if (row.count(i) == 1) {
                        lengths[count++] = row.end(i) - row.start(i);
                    }
                }
            }
        }
        Arrays.sort(lengths, 0, count);
        return Math.max(1, count <= wanted ? 1 : lengths[count - wanted] + 1);
    }

    /** The rows of a lane, the outermost calls first. */
    List<SpanRow> rows(Lane lane) {
        return lane.number() < lanes.size() ? lanes.get(lane.number()) : List.of();
    }

    Functions functions() {
        return functions;
    }

    /** All calls. */
    long calls() {
        return calls;
    }

    /** Calls that lie too deep to be kept. */
    long deep() {
        return deep;
    }

    /** Shorter calls may be merged; 0 if none is. */
    long least() {
        return least;
    }

    /** So many of a function's longest calls are told apart at any rate. */
    int kept() {
        return kept;
    }

    /** Calls that are told apart. */
    long single() {
        long single = 0;
        for (List<SpanRow> rows : lanes) {
            for (SpanRow row : rows) {
                for (int i = 0; i < row.size(); i++) {
                    single += row.count(i) == 1 ? 1 : 0;
                }
            }
        }
        return single;
    }

    /** Returns where the first event is that is drawn. */
    long first() {
        return first == Long.MAX_VALUE ? 0 : first;
    }

    /** Returns where the last event is that is drawn; behind the first one. */
    long last() {
        return Math.max(first() + 1, last);
    }
}
