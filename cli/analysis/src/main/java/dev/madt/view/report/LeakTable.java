package dev.madt.view.report;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Blocks that are alive at the end of a trace, by the call that allocated them; most bytes first.
 * Of Go's blocks nobody knows.
 */
final class LeakTable {
    private LeakTable() {}

    /**
     * The table of a report by site.
     *
     * @param top rows at most; 0: all
     */
    static Table of(Report report, int top) {
        List<SiteTally> sites = new ArrayList<>();
        for (Tally row : report.rows()) {
            SiteTally site = report.siteOf(row);
            if (site != null && site.alive() > 0 && !site.ofGo) {
                sites.add(site);
            }
        }
        sites.sort(Comparator.comparingLong(SiteTally::aliveBytes)
                .thenComparingLong(SiteTally::alive)
                .reversed()
                .thenComparing(site -> site.accesses.name()));
        long blocks = sites.stream().mapToLong(SiteTally::alive).sum();
        long bytes = sites.stream().mapToLong(SiteTally::aliveBytes).sum();
        Table table = new Table(
                "leaks",
                List.of(
                        "share",
                        "alive",
                        "bytes",
                        "blocks",
                        "allocated",
                        "allocation site",
                        "type",
                        "allocated at"));
        List<SiteTally> shown = top > 0 && top < sites.size() ? sites.subList(0, top) : sites;
        for (SiteTally site : shown) {
            table.row(
                    share(site.aliveBytes(), bytes),
                    site.alive(),
                    site.aliveBytes(),
                    site.blocks(),
                    site.bytes(),
                    site.accesses.name(),
                    site.accesses.type(),
                    site.accesses.source());
        }
        table.total(
                share(bytes, bytes),
                blocks,
                bytes,
                sites.stream().mapToLong(SiteTally::blocks).sum(),
                sites.stream().mapToLong(SiteTally::bytes).sum(),
                "total",
                null,
                null);
        return table.hidden(sites.size() - shown.size());
    }

    private static Table.Share share(long part, long whole) {
        return new Table.Share(whole == 0 ? 0 : (double) part / whole);
    }
}
