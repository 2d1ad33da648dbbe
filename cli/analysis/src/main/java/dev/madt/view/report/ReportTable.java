package dev.madt.view.report;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Puts the rows of a report into a table. */
final class ReportTable {
    /**
     * A column.
     *
     * @param extra whether a text leaves it out unless all columns are asked for
     */
    private record Column(
            String heading, boolean extra, Function<Tally, Object> cell, Supplier<Object> total) {}

    /** Holds what makes room for the names of rows. */
    private static final List<String> SPARE = List.of("block bytes", "bytes", "region");

    /** The same of calls that allocate, of which the blocks are asked for. */
    private static final List<String> SPARE_OF_SITES = List.of("stores", "loads");

    private static final List<String> LAST_SPARE_OF_SITES =
            List.of("alive at end", "never accessed");

    /** Columns that tell of less than one of so many accesses give way to names. */
    private static final int FEW = 4;

    private static final String THREAD_NAME = "thread name";

    private final List<ReportKey> keys;
    private final Report report;
    private final List<Column> columns = new ArrayList<>();

    /** @param members whether rows are split into members: then no lives of blocks are known */
    ReportTable(List<ReportKey> keys, Report report, boolean patterns, boolean members) {
        this.keys = keys;
        this.report = report;
        boolean lives = !members && keys.equals(List.of(ReportKey.SITE));
        counts(lives);
        if (lives) {
            lives();
        }
        names();
        if (lives) {
            origins();
        }
        if (patterns) {
            add(
                    "strides",
                    row -> row.pattern() == null ? null : row.pattern().strides(),
                    () -> null);
            add("reuse", row -> row.pattern() == null ? null : row.pattern().reuse(), () -> null);
        }
    }

    /**
     * The columns by which rows can be sorted; a table has no type, or source line, where no row
     * has one.
     */
    static List<String> columns(List<ReportKey> keys) {
        return columns(keys, false, false);
    }

    /** The columns that can be asked for. */
    static List<String> columns(List<ReportKey> keys, boolean patterns, boolean members) {
        return new ReportTable(keys, null, patterns, members).headings();
    }

    /** @param all every row, for the total */
    Table of(List<Tally> shown, List<Tally> all, Tally rest) {
        columns.removeIf(column -> optional(column, keys)
                && all.stream().noneMatch(row -> column.cell().apply(row) != null));
        List<String> spare = new ArrayList<>(spare());
        columns.stream()
                .filter(column -> optional(column, keys) && isSeldom(column, shown))
                .forEach(column -> spare.add(column.heading()));
        Table table = new Table("rows", headings()).spare(spare);
        table.lastSpare(
                LAST_SPARE_OF_SITES.stream().filter(headings()::contains).toList());
        table.extra(columns.stream().filter(Column::extra).map(Column::heading).toList());
        shown.forEach(row -> table.row(cells(row)));
        table.rest(rest == null ? null : cells(rest));
        table.total(columns.stream().map(column -> column.total().get()).toArray());
        return table.hidden(all.size() - shown.size());
    }

    private List<String> spare() {
        List<String> named = keys.stream().map(ReportKey::heading).toList();
        return (keys.equals(List.of(ReportKey.SITE)) ? SPARE_OF_SITES : SPARE)
                .stream()
                        .filter(heading -> headings().contains(heading) && !named.contains(heading))
                        .toList();
    }

    private static boolean optional(Column column, List<ReportKey> keys) {
        return column.heading().equals(THREAD_NAME)
                || column.heading().equals("type") && !keys.contains(ReportKey.TYPE)
                || column.heading().equals("allocated at")
                || column.heading().equals("called by");
    }

    /** Returns whether rows with few of the accesses have a cell there. */
    private static boolean isSeldom(Column column, List<Tally> shown) {
        long told = shown.stream()
                .filter(row -> column.cell().apply(row) != null)
                .mapToLong(Tally::accesses)
                .sum();
        return FEW * told < shown.stream().mapToLong(Tally::accesses).sum();
    }

    private Object[] cells(Tally row) {
        return columns.stream().map(column -> column.cell().apply(row)).toArray();
    }

    private List<String> headings() {
        return columns.stream().map(Column::heading).toList();
    }

    private void counts(boolean livesToo) {
        add("share", row -> share(row.accesses()), () -> share(report.loads() + report.stores()));
        add("loads", Tally::loads, () -> report.loads());
        add("stores", Tally::stores, () -> report.stores());
        add("bytes", livesToo, Tally::bytes, () -> report.bytes());
        add("bulk transfers", true, Tally::blocks, () -> report.bulkTransfers());
        add("block bytes", livesToo, Tally::blockBytes, () -> report.blockBytes());
        add("lines", true, Tally::lines, () -> report.lines());
        add("pages", true, Tally::pages, () -> report.pages());
    }

    private void lives() {
        add("blocks", site(SiteTally::blocks), () -> lives(new SiteTally(null)).blocks());
        add("allocated", site(SiteTally::bytes), () -> lives(new SiteTally(null))
                .bytes());
        add("alive at end", site(SiteTally::alive), () -> lives(new SiteTally(null))
                .alive());
        add("mean life", true, site(SiteTally::meanLifetime), () -> lives(new SiteTally(null))
                .meanLifetime());
        add("longest life", true, site(SiteTally::longestLifetime), () -> lives(new SiteTally(null))
                .longestLifetime());
        add(
                "never accessed",
                site(this::neverAccessed),
                () -> neverAccessed(lives(new SiteTally(null))));
    }

    private void origins() {
        add("peak", true, site(SiteTally::mostBytes), () -> null);
        add("temporary", true, site(SiteTally::temporaryBlocks), () -> lives(new SiteTally(null))
                .temporaryBlocks());
        add("called by", true, Tally::callers, () -> null);
    }

    /** Null where accesses to the blocks may be missing. */
    private Long neverAccessed(SiteTally site) {
        return report.doubt() == null ? site.neverAccessed() : null;
    }

    private Function<Tally, Object> site(Function<SiteTally, Long> count) {
        return row -> report.siteOf(row) == null ? null : count.apply(report.siteOf(row));
    }

    /** The lives of the blocks of all sites. */
    private SiteTally lives(SiteTally sum) {
        report.rows().stream().map(report::siteOf).filter(site -> site != null).forEach(sum::add);
        return sum;
    }

    private void names() {
        for (int i = 0; i < keys.size(); i++) {
            int name = i;
            add(keys.get(i).heading(), row -> row.name(name), () -> name == 0 ? "total" : null);
            if (keys.get(i) == ReportKey.THREAD) {
                add(THREAD_NAME, row -> report.threadName(row.name(name)), () -> null);
            }
        }
        List<String> besides = ReportKey.besides(keys);
        for (int i = 0; i < besides.size(); i++) {
            int name = keys.size() + i;
            add(besides.get(i), row -> row.name(name), () -> null);
        }
        if (keys.stream().anyMatch(ReportKey::namesBlocks)) {
            if (!keys.contains(ReportKey.TYPE)) {
                add("type", Tally::type, () -> null);
            }
            add("allocated at", Tally::source, () -> null);
        }
    }

    private void add(String heading, Function<Tally, Object> cell, Supplier<Object> total) {
        add(heading, false, cell, total);
    }

    private void add(
            String heading, boolean extra, Function<Tally, Object> cell, Supplier<Object> total) {
        columns.add(new Column(heading, extra, cell, total));
    }

    private Table.Share share(long accesses) {
        long all = report.loads() + report.stores();
        return new Table.Share(all == 0 ? 0 : (double) accesses / all);
    }
}
