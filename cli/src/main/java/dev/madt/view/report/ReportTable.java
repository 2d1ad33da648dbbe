package dev.madt.view.report;

import java.util.ArrayList;
import java.util.List;

/** Puts the rows of a report into a table. */
final class ReportTable {
    private final ReportKey key;
    private final Report report;
    private final boolean patterns;

    ReportTable(ReportKey key, Report report, boolean patterns) {
        this.key = key;
        this.report = report;
        this.patterns = patterns;
    }

    /** @param all every row, for the total */
    Table of(List<Tally> shown, List<Tally> all) {
        boolean regions = all.stream().anyMatch(row -> row.region() != null);
        boolean sources = key.namesBlocks() && all.stream().anyMatch(row -> row.source() != null);
        Table table = new Table("rows", headings(regions, sources));
        shown.forEach(row -> table.row(cells(row, regions, sources)));
        table.total(total(all, table.headings().size()));
        return table.hidden(all.size() - shown.size());
    }

    /** The columns by which rows can be sorted; a table has no region, or source line, where no row has one. */
    static List<String> columns(ReportKey key) {
        return new ReportTable(key, null, false).headings(true, key.namesBlocks());
    }

    private List<String> headings(boolean regions, boolean sources) {
        List<String> headings = new ArrayList<>(
                List.of("share", "loads", "stores", "bytes", "block events", "block bytes", "lines", "pages"));
        if (key == ReportKey.SITE) {
            headings.addAll(List.of("blocks", "allocated", "alive", "mean life", "longest life", "never accessed"));
        }
        headings.add(key == ReportKey.SITE ? "allocation site" : key.word());
        if (regions) {
            headings.add(key == ReportKey.FUNCTION ? "module" : key == ReportKey.LINE ? "function" : "region");
        }
        if (sources) {
            headings.add("allocated at");
        }
        if (patterns) {
            headings.addAll(List.of("strides", "reuse"));
        }
        return headings;
    }

    private Object[] cells(Tally row, boolean regions, boolean sources) {
        List<Object> cells = new ArrayList<>(List.of(share(row.accesses()), row.loads(), row.stores(), row.bytes(),
                row.blocks(), row.blockBytes(), row.lines(), row.pages()));
        if (key == ReportKey.SITE) {
            site(cells, report.siteOf(row));
        }
        cells.add(row.name());
        if (regions) {
            cells.add(row.region());
        }
        if (sources) {
            cells.add(row.source());
        }
        if (patterns) {
            cells.add(row.pattern() == null ? null : row.pattern().strides());
            cells.add(row.pattern() == null ? null : row.pattern().reuse());
        }
        return cells.toArray();
    }

    private static void site(List<Object> cells, SiteTally site) {
        if (site == null) {
            for (int i = 0; i < 6; i++) {
                cells.add(null);
            }
            return;
        }
        cells.addAll(List.of(site.blocks(), site.bytes(), site.alive(), site.meanLifetime(), site.longestLifetime(),
                site.neverAccessed()));
    }

    private Table.Share share(long accesses) {
        long all = report.loads() + report.stores();
        return new Table.Share(all == 0 ? 0 : (double) accesses / all);
    }

    private Object[] total(List<Tally> all, int width) {
        Object[] cells = new Object[width];
        cells[0] = share(report.loads() + report.stores());
        cells[1] = report.loads();
        cells[2] = report.stores();
        cells[3] = report.bytes();
        cells[4] = all.stream().mapToLong(Tally::blocks).sum();
        cells[5] = all.stream().mapToLong(Tally::blockBytes).sum();
        cells[key == ReportKey.SITE ? 14 : 8] = "total";
        return cells;
    }
}
