package dev.madt.view.locks;

import dev.madt.tracker.LockWords;
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
        DEPTH,
        LENGTH,
        WAIT;

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

    private Map<Long, Long> rough() {
        TreeMap<Long, Long> rows = new TreeMap<>();
        counts().forEach((from, count) ->
                rows.merge(isOfTimes() ? step(from) : from, count, Long::sum));
        return rows;
    }

    /** Returns where the row begins that a time falls into. */
    private static long step(long nanos) {
        long start = 0;
        for (long decade = BIN; decade <= nanos; decade *= DECADE) {
            for (long step : STEPS) {
                start = step * decade <= nanos ? step * decade : start;
            }
        }
        return start;
    }
}
