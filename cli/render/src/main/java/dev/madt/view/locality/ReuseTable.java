package dev.madt.view.locality;

import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.Table;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/** Shows reuse distances as a histogram, and as misses over the size of a cache. */
final class ReuseTable {
    private static final String REFERENCES = "references";

    private final ReuseHistogram distances;
    private final int line;

    /** @param line bytes of a line */
    ReuseTable(ReuseHistogram distances, int line) {
        this.distances = distances;
        this.line = line;
    }

    /** Returns the bins that have any; a last row without a beginning has first references. */
    Table histogram(List<String> headings, boolean fine) {
        Table table = new Table("bins", headings);
        double all = Math.max(1, distances.sum());
        long seen = 0;
        for (int bin = 0; bin < distances.bins(); ) {
            int end = fine ? bin + 1 : nextPower(bin);
            long count = 0;
            long from = ReuseHistogram.from(bin);
            for (; bin < end; bin++) {
                count += bin < distances.bins() ? distances.count(bin) : 0;
            }
            seen += count;
            if (count > 0) {
                table.row(
                        from,
                        ReuseHistogram.from(end) - 1,
                        count,
                        new Table.Share(count / all),
                        new Table.Share(seen / all));
            }
        }
        if (distances.first() > 0) {
            table.row(
                    null,
                    null,
                    distances.first(),
                    new Table.Share(distances.first() / all),
                    new Table.Share(1));
        }
        return table;
    }

    private static int nextPower(int bin) {
        long from = ReuseHistogram.from(bin);
        long power = Long.highestOneBit(from);
        int next = bin + 1;
        while (from > 0 && Long.highestOneBit(ReuseHistogram.from(next)) == power) {
            next++;
        }
        return next;
    }

    /**
     * Returns the misses of caches of one line up to the first in which all reuse hits, exactly:
     * sizes are beginnings of bins.
     *
     * @param sample that the distances are of, which says how far each share is expected to be off;
     *     null: they are all. Sizes that it cannot tell are left out
     */
    Table curve(LineSample sample, boolean fine) {
        Table table = new Table("curve", headings(sample != null));
        long misses = distances.sum();
        int least = sample == null ? 1 : sample.oneIn();
        for (int bin = 1; bin <= distances.bins(); bin++) {
            misses -= distances.count(bin - 1);
            long lines = ReuseHistogram.from(bin);
            if (lines >= least && (fine || Long.bitCount(lines) == 1)) {
                if (sample == null) {
                    table.row(lines * line, lines, misses, share(misses));
                } else {
                    table.row(lines * line, lines, misses, share(misses), error(sample, bin));
                }
            }
            if (misses == distances.first()
                    && lines >= least
                    && (fine || Long.bitCount(lines) == 1)) {
                break;
            }
        }
        return table;
    }

    /** Returns the headings of the curve. */
    static List<String> headings(boolean sampled) {
        return sampled
                ? List.of("size", "lines", "misses", "share", "error")
                : List.of("size", "lines", "misses", "share");
    }

    private Table.Share error(LineSample sample, int bin) {
        return new Table.Share(sample.error(bin) / Math.max(1, distances.sum()));
    }

    /** Returns the errors of the curve. */
    DoubleSummaryStatistics errors(LineSample sample) {
        return curve(sample, true).rows().stream()
                .mapToDouble(row -> ((Table.Share) row[4]).part())
                .summaryStatistics();
    }

    private Table.Share share(long misses) {
        return new Table.Share(misses / (double) Math.max(1, distances.sum()));
    }

    Chart bars(String trace) {
        Chart chart = new Chart(
                Chart.Kind.BAR,
                "Reuse distances: " + trace,
                ChartAxis.logarithmic("distance in lines of " + line + " bytes", 2),
                ChartAxis.numbers(REFERENCES));
        for (Object[] row : histogram(List.of("", "", "", "", ""), false).rows()) {
            if (row[0] != null) {
                chart.bar(
                        REFERENCES,
                        (Long) row[0],
                        (Long) row[1] + 1,
                        (Long) row[2],
                        row[0] + " to " + row[1] + " lines");
            }
        }
        return chart;
    }

    Chart line(String trace) {
        Chart chart = new Chart(
                Chart.Kind.LINE,
                "Misses by the size of a cache: " + trace,
                ChartAxis.bytes("size, fully associative, lines of " + line + " bytes"),
                ChartAxis.shares("misses of " + REFERENCES));
        for (Object[] row : curve(null, true).rows()) {
            double part = ((Table.Share) row[3]).part();
            chart.point("misses", (Long) row[0], part);
        }
        return chart;
    }

    static Chart windows(WorkingSet windows, String trace) {
        Chart chart = new Chart(
                Chart.Kind.LINE,
                "Working set: " + trace,
                ChartAxis.numbers("accesses, in windows of " + windows.length()),
                ChartAxis.linearBytes("working set"));
        for (int i = 0; i < windows.windows(); i++) {
            chart.point("working set", (double) i * windows.length(), windows.bytes(i));
        }
        return chart;
    }
}
