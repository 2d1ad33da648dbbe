package dev.madt.view.locks;

import dev.madt.console.Numbers;
import dev.madt.tracker.LockWords;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts how deep locks were nested, how long they were held, or how long threads waited for them:
 * times in bins of 0.1 µs.
 */
final class LockHistogram implements LockListener {
    /** Says what is counted. */
    enum Of {
        DEPTH(
                "How many locks a thread held already when it got one",
                "locks held already",
                "so many",
                "so many or fewer"),
        LENGTH(
                "How long locks were held",
                "held for, in bins of 0.1 µs or more",
                "so long",
                "so long or less"),
        WAIT(
                "How long threads waited for locks",
                "waited for, in bins of 0.1 µs or more",
                "so long",
                "so long or less");

        private final String title;
        private final String axis;
        private final String bars;
        private final String curve;

        Of(String title, String axis, String bars, String curve) {
            this.title = title;
            this.axis = axis;
            this.bars = bars;
            this.curve = curve;
        }

        /** Returns the words that a user may type. */
        static List<String> words() {
            return List.of("depth", "length", "wait");
        }

        static Of word(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    static final List<String> HEADINGS = List.of("from", "count", "share", "cumulative");

    /** Nanoseconds of a bin. */
    private static final long BIN = 100;

    private static final long[] STEPS = {1, 2, 5};
    private static final int DECADE = 10;

    private final Of of;
    private final TreeMap<Long, Long> bins = new TreeMap<>();

    LockHistogram(Of of) {
        this.of = of;
    }

    private void add(long value) {
        bins.merge(value, 1L, Long::sum);
    }

    @Override
    public void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {
        if (of == Of.DEPTH) {
            add(lock.depth());
        } else if (of == Of.WAIT && !kind.equals(LockWords.CONDITION)) {
            add(waited / BIN);
        }
    }

    @Override
    public void released(Holding lock, long held) {
        if (of == Of.LENGTH) {
            add(held / BIN);
        }
    }

    /** Returns the beginnings of bins with how many there are in them, those with none left out. */
    Map<Long, Long> counts() {
        TreeMap<Long, Long> counts = new TreeMap<>();
        bins.forEach((bin, count) -> counts.put(of == Of.DEPTH ? bin : bin * BIN, count));
        return counts;
    }

    /** Returns whether bins are times. */
    boolean isOfTimes() {
        return of != Of.DEPTH;
    }

    long all() {
        return bins.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The bins as a table.
     *
     * @param fine each bin; else times up to 1, 2, 5, 10 … times 0.1 µs share a row
     */
    Table table(boolean fine) {
        Table table = new Table("bins", HEADINGS);
        double all = Math.max(1, all());
        long seen = 0;
        for (Map.Entry<Long, Long> bin : (fine ? counts() : rough()).entrySet()) {
            seen += bin.getValue();
            table.row(
                    isOfTimes() ? new Table.Time(bin.getKey()) : bin.getKey(),
                    bin.getValue(),
                    new Table.Share(bin.getValue() / all),
                    new Table.Share(seen / all));
        }
        return table;
    }

    /** Draws bars, and the curve of how many were up to there. Long times share a bar. */
    Chart chart(String trace) {
        Chart chart = new Chart(
                Chart.Kind.BAR,
                of.title + ": " + trace + ", " + Numbers.grouped(all()) + " times",
                isOfTimes() ? ChartAxis.times(of.axis) : ChartAxis.numbers(of.axis),
                ChartAxis.shares("share"));
        TreeMap<Long, Long> bars = new TreeMap<>();
        counts().forEach((from, count) -> bars.merge(drawn(from), count, Long::sum));
        double all = Math.max(1, all());
        long seen = 0;
        for (Map.Entry<Long, Long> bar : bars.entrySet()) {
            long from = bar.getKey();
            long to = isOfTimes() ? from + width(from) : from;
            seen += bar.getValue();
            chart.bar(
                    of.bars,
                    from,
                    to,
                    bar.getValue() / all,
                    isOfTimes()
                            ? new Table.Time(from).text() + " to " + new Table.Time(to).text()
                            : Long.toString(from));
            chart.curve(of.curve, to, seen / all);
        }
        return chart;
    }

    /** Returns where the bar begins in which a value is drawn. */
    private long drawn(long value) {
        return isOfTimes() ? value - value % width(value) : value;
    }

    /** Returns how wide the bar of a time is: a tenth of its power of ten, but a bin at least. */
    private static long width(long nanos) {
        long width = BIN;
        while (width <= nanos / (DECADE * DECADE)) {
            width *= DECADE;
        }
        return width;
    }

    private Map<Long, Long> rough() {
        TreeMap<Long, Long> rows = new TreeMap<>();
        counts().forEach((from, count) ->
                rows.merge(isOfTimes() ? step(from) : from, count, Long::sum));
        return rows;
    }

    /** Returns where the row begins that a time falls into. */
    private static long step(long nanos) {
        long start = 0;
        for (long decade = BIN; decade > 0 && decade <= nanos; decade *= DECADE) {
            for (long step : STEPS) {
                start = step * decade <= nanos ? step * decade : start;
            }
        }
        return start;
    }
}
