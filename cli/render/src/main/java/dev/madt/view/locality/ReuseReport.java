package dev.madt.view.locality;

import dev.madt.console.Numbers;
import dev.madt.view.report.ReuseDistance;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;

/**
 * Reuse distances of all lines of a trace, by what was accessed or by the code that did, and what
 * follows from them: the curve of misses over the size of a cache (Mattson et al., 1970) that is
 * fully associative and replaces the line unused longest. A row costs three numbers for each power
 * of two of its distances and a few more; a line what {@link ReuseDistance} says.
 */
public final class ReuseReport extends LineStream<ReuseReport.Row> {
    /** Names a table. */
    public enum Part {
        ROWS,
        HISTOGRAM,
        CURVE,
        WORKING_SET
    }

    /** Lines that are kept: with lines of 64 bytes, 256 MiB that are in use. */
    static final int MOST = 1 << 22;

    private static final List<String> BINS = List.of("from", "to", "count", "share", "cumulative");
    private static final double MOST_OF = 0.9;

    /** Holds what is counted under one name. */
    static final class Row {
        private final List<String> names;
        private final ReuseHistogram distances = new ReuseHistogram();
        private final long[] misses;

        Row(List<String> names, int sizes) {
            this.names = names;
            this.misses = new long[sizes];
        }
    }

    /**
     * Says what is asked for.
     *
     * @param line bytes of a line, a power of two
     * @param sizes bytes of the caches whose misses each row has
     * @param window accesses of a window of the working set; 0: none are looked at
     * @param histograms whether each row shows all of its distances
     * @param transfers whether bulk transfers count
     * @param oneIn how many lines one is looked at of; 1: all are
     */
    public record Form(
            Part part,
            LocalityKey key,
            int line,
            List<Long> sizes,
            long window,
            boolean histograms,
            boolean transfers,
            int oneIn) {}

    private final Form form;
    private final KeyedRows<Row> rows;
    private final int lineBits;
    private final long[] capacities;
    private final ReuseDistance reuse = new ReuseDistance(MOST);
    private final WorkingSet windows;
    /** Null: all lines are looked at. */
    private final LineSample sample;

    private long references;
    private long twice;

    public ReuseReport(Form form) {
        this(
                form,
                new KeyedRows<>(form.key, names -> new Row(names, form.sizes.size())),
                form.oneIn > 1 ? new LineSample(form.oneIn, form.line) : null);
    }

    private ReuseReport(Form form, KeyedRows<Row> rows, LineSample sample) {
        super(rows, form.transfers, sample);
        this.sample = sample;
        this.form = form;
        this.rows = rows;
        this.lineBits = Integer.numberOfTrailingZeros(form.line);
        this.capacities =
                form.sizes.stream().mapToLong(size -> size / form.line).toArray();
        this.windows = form.window > 0 ? new WorkingSet(form.window, form.line) : null;
    }

    /** Returns the headings of the table that is asked for. */
    public static List<String> headings(Form form) {
        return switch (form.part) {
            case ROWS -> rowHeadings(form);
            case HISTOGRAM -> BINS;
            case CURVE -> ReuseTable.headings(form.oneIn > 1);
            case WORKING_SET -> WorkingSet.HEADINGS;
        };
    }

    private static List<String> rowHeadings(Form form) {
        List<String> all = new ArrayList<>(form.key.headings());
        all.addAll(List.of("references", "first", "median", "p90"));
        form.sizes.forEach(size -> all.add(sizeText(size) + " misses"));
        all.add("share");
        if (form.histograms) {
            all.add("reuse");
        }
        return all;
    }

    /** Returns a number of bytes as users type it: 32K. */
    static String sizeText(long bytes) {
        int unit = 0;
        long rest = bytes;
        for (; unit < 3 && rest % 1024 == 0 && rest > 0; unit++) {
            rest /= 1024;
        }
        return rest + (unit == 0 ? "" : "" + " KMG".charAt(unit));
    }

    @Override
    void access(Row row, boolean store, long address, int size) {
        long line = address >>> lineBits;
        long last = address + size - 1 >>> lineBits;
        if (windows != null) {
            windows.access();
        }
        references += last - line + 1;
        reference(row, line);
        for (twice += last > line ? 1 : 0; line < last; ) {
            reference(row, ++line);
        }
    }

    private void reference(Row row, long line) {
        if (sample != null && !sample.takes(line)) {
            return;
        }
        int distance = reuse.access(line);
        if (sample != null) {
            distance = sample.scaled(distance);
            sample.add(line, distance);
        }
        row.distances.add(distance, form.oneIn);
        if (distance != 0) {
            for (int i = 0; i < capacities.length; i++) {
                row.misses[i] += distance < 0 || distance >= capacities[i] ? form.oneIn : 0;
            }
        }
        if (windows != null) {
            windows.line(line);
        }
    }

    /**
     * The table that is asked for.
     *
     * @param top rows at most; 0: all
     * @param fine whether each bin has a row, else each power of two
     */
    public Table table(int top, boolean fine) {
        return switch (form.part) {
            case ROWS -> rowTable(top);
            case HISTOGRAM -> new ReuseTable(all(), form.line).histogram(BINS, fine);
            case CURVE -> new ReuseTable(all(), form.line).curve(sample, fine);
            case WORKING_SET -> windows.table(top);
        };
    }

    /** Returns the picture of what is asked for; of rows, the curve of misses. */
    public Chart chart(String trace) {
        return switch (form.part) {
            case HISTOGRAM -> new ReuseTable(all(), form.line).bars(trace);
            case WORKING_SET -> ReuseTable.windows(windows, trace);
            default -> new ReuseTable(all(), form.line).line(trace);
        };
    }

    private ReuseHistogram all() {
        ReuseHistogram all = new ReuseHistogram();
        rows.all().forEach(row -> all.addAll(row.distances));
        if (sample != null) {
            all.settle(references + idle());
        }
        return all;
    }

    private Table rowTable(int top) {
        List<Row> all = new ArrayList<>(rows.all());
        all.sort(Comparator.comparingLong((Row row) -> -row.misses[0])
                .thenComparingLong(row -> -row.distances.sum())
                .thenComparing(row -> row.names.toString()));
        Row total = new Row(form.key.totalNames(), capacities.length);
        total.distances.addAll(all());
        for (Row row : all) {
            for (int i = 0; i < capacities.length; i++) {
                total.misses[i] += row.misses[i];
            }
        }
        Table table = new Table("rows", rowHeadings(form)).spare(List.of("p90", "first"));
        table.lastSpare(form.key.headingsBesides());
        table.first(all, top, row -> cells(row, total));
        return table.total(cells(total, total));
    }

    private Object[] cells(Row row, Row total) {
        List<Object> cells = new ArrayList<>(row.names);
        cells.add(row.distances.sum());
        cells.add(row.distances.first());
        cells.add(row.distances.quantile(0.5));
        cells.add(row.distances.quantile(MOST_OF));
        for (long misses : row.misses) {
            cells.add(misses);
        }
        cells.add(new Table.Share(row.misses[0] / (double) Math.max(1, total.misses[0])));
        if (form.histograms) {
            cells.add(row == total ? Map.of() : row.distances.byPowers());
        }
        return cells.toArray();
    }

    /** Returns what to know about the tables, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        ReuseHistogram sum = all();
        long lines = (long) reuse.lines() * form.oneIn;
        all.add(Numbers.grouped(sum.sum()) + " references to " + (sample == null ? "" : "about ")
                + Numbers.counted(lines, "line", "lines") + " of " + form.line + " bytes"
                + (form.part == Part.ROWS
                        ? "; misses are those of caches that are fully associative, share is of "
                                + sizeText(form.sizes.get(0)) + "."
                        : "."));
        if (sample != null) {
            all.add(sampleText(sum));
        } else if (twice > 0) {
            all.add(Numbers.counted(twice, "access lies", "accesses lie")
                    + " in several lines: each is a reference.");
        }
        if (leftOut() > 0) {
            all.add(leftOutText(leftOut()));
        }
        if (sum.first() > lines) {
            all.add("distances of more than " + Numbers.grouped((long) MOST * form.oneIn)
                    + " lines are counted as first references.");
        }
        if (windows != null && windows.isWhole()) {
            all.add("the mean working set of " + Numbers.grouped(windows.length()) + " accesses is "
                    + Numbers.grouped(Math.round(windows.mean())) + " lines.");
        }
        return all;
    }

    private String sampleText(ReuseHistogram sum) {
        DoubleSummaryStatistics errors = new ReuseTable(sum, form.line).errors(sample);
        return "1 line in " + Numbers.grouped(form.oneIn) + " was looked at, "
                + Numbers.grouped(reuse.lines()) + " in all. The curve of misses is expected to be"
                + " off by " + Numbers.share(100 * errors.getAverage()) + " (standard error, the"
                + " mean of all sizes; at most "
                + Numbers.share(100 * Math.max(0, errors.getMax())) + "), and distances are"
                + " multiples of " + Numbers.grouped(form.oneIn) + ".";
    }

    static String leftOutText(long transfers) {
        return Numbers.counted(transfers, "bulk transfer is", "bulk transfers are")
                + " left out: --expand-blocks counts them as accesses of 8 bytes.";
    }
}
