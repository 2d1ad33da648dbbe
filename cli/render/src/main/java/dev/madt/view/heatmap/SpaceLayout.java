package dev.madt.view.heatmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Holds what was accessed of the address space, from top to bottom: a heading for each band, rows
 * of {@value #COLUMNS} pages from left to right, and one thin line for each run of rows in which
 * nothing was accessed. Rows begin at multiples of their length, so that equal columns are equal
 * parts of addresses. Bands without accesses are one line, the last.
 */
final class SpaceLayout {
    static final int COLUMNS = 64;

    /** A line of the picture: one of its parts is there. */
    record Line(Band heading, Row row, String fold, String rest) {}

    /** Pages in a row; {@code counts[i]} is -1 where the band has no page. */
    record Row(long firstPage, long[] counts) {}

    private final Heat heat;
    private final List<Line> lines = new ArrayList<>();
    private final Map<Long, Map<Integer, Long>> rows = new HashMap<>();
    private long most = 1;
    private long hottest = -1;
    private String hottestRegion = "";

    SpaceLayout(Heat heat, boolean byAddress) {
        this.heat = heat;
        sortIntoRows();
        Band.touched(heat, byAddress).forEach(this::band);
        String rest = Band.untouched(heat);
        if (!rest.isEmpty()) {
            lines.add(new Line(null, null, null, rest));
        }
    }

    List<Line> lines() {
        return lines;
    }

    /** Accesses to the page with most. */
    Scale scale() {
        return new Scale(most);
    }

    private void sortIntoRows() {
        long[] totals = heat.totals();
        for (int i = 0; i < totals.length; i++) {
            long page = heat.page(i);
            rows.computeIfAbsent(page / COLUMNS, row -> new HashMap<>())
                    .put((int) (page % COLUMNS), totals[i]);
            if (totals[i] >= most) {
                most = totals[i];
                hottest = heat.page(i);
            }
        }
    }

    /** Number of the page with most accesses; -1 if there were none. */
    long hottest() {
        return hottest;
    }

    /** Returns what lines print for its region. */
    String hottestRegion() {
        return hottestRegion;
    }

    private void band(Band band) {
        if (band.firstPage() <= hottest && hottest <= band.lastPage()) {
            hottestRegion = band.label();
        }
        lines.add(new Line(band, null, null, null));
        List<Long> numbers = rows.keySet().stream()
                .filter(row ->
                        row >= band.firstPage() / COLUMNS && row <= band.lastPage() / COLUMNS)
                .sorted()
                .toList();
        long expected = band.firstPage() / COLUMNS;
        for (long number : numbers) {
            gap(band, expected, number);
            Row row = row(band, number);
            if (Arrays.stream(row.counts).anyMatch(count -> count > 0)) {
                lines.add(new Line(null, row, null, null));
            } else {
                gap(band, number, number + 1);
            }
            expected = number + 1;
        }
        gap(band, expected, band.lastPage() / COLUMNS + 1);
    }

    /** The rows from a number up to another, in which nothing was accessed. */
    private void gap(Band band, long from, long to) {
        if (from >= to) {
            return;
        }
        if (to - from == 1) {
            lines.add(new Line(null, row(band, from), null, null));
            return;
        }
        long first = Math.max(from * COLUMNS, band.firstPage());
        long last = Math.min(to * COLUMNS - 1, band.lastPage());
        lines.add(new Line(
                null,
                null,
                String.format(Locale.ROOT, "… %,d pages not accessed", last - first + 1),
                null));
    }

    private Row row(Band band, long number) {
        long[] counts = new long[COLUMNS];
        Map<Integer, Long> known = rows.getOrDefault(number, Map.of());
        for (int i = 0; i < COLUMNS; i++) {
            long page = number * COLUMNS + i;
            boolean inside = page >= band.firstPage() && page <= band.lastPage();
            counts[i] = inside ? known.getOrDefault(i, 0L) : -1;
        }
        return new Row(number * COLUMNS, counts);
    }
}
