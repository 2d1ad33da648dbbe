package dev.madt.view.locality;

import dev.madt.console.Numbers;
import dev.madt.view.cache.Cache;
import dev.madt.view.cache.CacheGeometry;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The misses of a hierarchy of caches for data, by what was accessed or by the code that did. Each
 * level replaces the line unused longest, fills lines on stores too, and sees what the one above it
 * misses. Memory is that of the caches, 8 bytes a line, and of the rows.
 */
public final class CacheReport extends LineStream<CacheReport.Row> {
    /** Counts of a row for each level, and for accesses in front of them: loads and stores. */
    private static final int KINDS = 2;

    private static final int SHOWN = 30;
    /** Part of all misses from which on a row is drawn. */
    private static final double LEAST = 0.001;

    /** Says as which tool accesses are counted. */
    public enum Like {
        /** An access that lies in two lines misses once at most, and goes on as a whole. */
        MADT,
        /** So it is here; a modify is a load, and an access no longer than a line. */
        CACHEGRIND,
        /** Each line that an access lies in counts by itself, and goes on if it misses. */
        DRCACHESIM;

        /** Returns the words by which users name them. */
        public static List<String> words() {
            return Stream.of(values()).map(Like::word).toList();
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the one with this name, one of {@link #words}. */
        public static Like of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** Holds what is counted under one name. */
    static final class Row {
        private final List<String> names;
        private final long[] counts;

        Row(List<String> names, int levels) {
            this.names = names;
            this.counts = new long[KINDS * (1 + levels)];
        }

        /** @param level 0: all accesses; else those that miss in that level */
        long of(int level) {
            return counts[KINDS * level] + counts[KINDS * level + 1];
        }
    }

    /**
     * Says what is asked for.
     *
     * @param levels from the one next to the processor on
     * @param transfers whether bulk transfers count
     */
    public record Form(LocalityKey key, List<CacheGeometry> levels, Like like, boolean transfers) {}

    private final Form form;
    private final KeyedRows<Row> rows;
    private final Cache[] caches;
    private final int longest;

    public CacheReport(Form form) {
        this(form, new KeyedRows<>(form.key, names -> new Row(names, form.levels.size())));
    }

    private CacheReport(Form form, KeyedRows<Row> rows) {
        super(rows, form.transfers);
        this.form = form;
        this.rows = rows;
        this.caches = form.levels.stream().map(Cache::new).toArray(Cache[]::new);
        this.longest = form.like == Like.CACHEGRIND
                ? form.levels.stream().mapToInt(CacheGeometry::line).min().orElseThrow()
                : Integer.MAX_VALUE;
    }

    @Override
    boolean countsModifies() {
        return form.like != Like.CACHEGRIND;
    }

    @Override
    void access(Row row, boolean store, long address, int size) {
        long[] counts = row.counts;
        int at = store ? 1 : 0;
        if (form.like == Like.DRCACHESIM) {
            lines(counts, at, 0, address, size);
            return;
        }
        counts[at]++;
        int bytes = Math.min(size, longest);
        for (Cache cache : caches) {
            if (!cache.misses(address, bytes)) {
                return;
            }
            at += KINDS;
            counts[at]++;
        }
    }

    /** Looks the lines of a level up that bytes lie in. */
    private void lines(long[] counts, int at, int level, long address, long size) {
        long end = address + size;
        long line = form.levels.get(level).line();
        for (long here = address; here < end; ) {
            long next = Math.min(end, (here & -line) + line);
            if (level == 0) {
                counts[at]++;
            }
            if (caches[level].misses(here, next - here)) {
                counts[at + KINDS * (level + 1)]++;
                if (level + 1 < caches.length) {
                    lines(counts, at, level + 1, here, next - here);
                }
            }
            here = next;
        }
    }

    /** Returns the headings of the table. */
    public static List<String> headings(Form form) {
        List<String> all = new ArrayList<>(form.key.headings());
        all.addAll(List.of("accesses", "loads", "stores"));
        for (int level = 1; level <= form.levels.size(); level++) {
            String name = "L" + level;
            all.addAll(List.of(
                    name + " misses",
                    name + " load misses",
                    name + " store misses",
                    name + " rate"));
        }
        all.add("share");
        return all;
    }

    /** Returns the rows, those with most misses first; {@code top} of them at most, 0: all. */
    public Table table(int top) {
        List<Row> all = sorted();
        Row total = total(all);
        Table table = new Table("rows", headings(form)).extra(extra()).spare(List.of("accesses"));
        table.lastSpare(form.key.headingsBesides());
        table.first(all, top, row -> cells(row, total));
        return table.total(cells(total, total));
    }

    private List<String> extra() {
        return headings(form).stream()
                .filter(heading -> heading.equals("loads")
                        || heading.equals("stores")
                        || heading.endsWith("load misses")
                        || heading.endsWith("store misses"))
                .toList();
    }

    private List<Row> sorted() {
        List<Row> all = new ArrayList<>(rows.all());
        all.sort(Comparator.comparingLong((Row row) -> -row.of(1))
                .thenComparingLong(row -> -row.of(0))
                .thenComparing(row -> row.names.toString()));
        return all;
    }

    private Row total(List<Row> all) {
        Row total = new Row(form.key.totalNames(), caches.length);
        for (Row row : all) {
            for (int i = 0; i < total.counts.length; i++) {
                total.counts[i] += row.counts[i];
            }
        }
        return total;
    }

    private Object[] cells(Row row, Row total) {
        List<Object> cells = new ArrayList<>(row.names);
        cells.add(row.of(0));
        cells.add(row.counts[0]);
        cells.add(row.counts[1]);
        for (int level = 1; level <= caches.length; level++) {
            cells.add(row.of(level));
            cells.add(row.counts[KINDS * level]);
            cells.add(row.counts[KINDS * level + 1]);
            cells.add(part(row.of(level), row.of(level - 1)));
        }
        cells.add(part(row.of(1), total.of(1)));
        return cells.toArray();
    }

    private static Table.Share part(long of, long whole) {
        return new Table.Share(of / (double) Math.max(1, whole));
    }

    /** Returns the rows with most misses as bars, one for each level. */
    public Chart chart(String trace) {
        List<Row> all = sorted();
        double least = LEAST * total(all).of(1);
        List<Row> shown =
                all.stream().filter(row -> row.of(1) >= least).limit(SHOWN).toList();
        Chart chart = new Chart(
                Chart.Kind.BAR,
                "Misses: " + trace,
                ChartAxis.names(shown.stream().map(row -> row.names.get(0)).toList()),
                ChartAxis.numbers("misses"));
        for (int level = 1; level <= caches.length; level++) {
            for (int i = 0; i < shown.size(); i++) {
                chart.point("L" + level, i, shown.get(i).of(level));
            }
        }
        return chart;
    }

    private static String text(CacheGeometry cache) {
        return ReuseReport.sizeText(cache.size()) + ", "
                + Numbers.counted(cache.ways(), "way", "ways") + ", lines of " + cache.line()
                + " bytes";
    }

    /** Returns what to know about the table, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        List<String> levels = new ArrayList<>();
        for (int level = 1; level <= form.levels.size(); level++) {
            levels.add("L" + level + ": " + text(form.levels.get(level - 1)));
        }
        all.add(String.join("; ", levels) + ".");
        if (leftOut() > 0) {
            all.add(ReuseReport.leftOutText(leftOut()));
        }
        return all;
    }
}
