package dev.madt.view.heatmap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Time from left to right, the pages that were accessed from top to bottom, bands apart. When there
 * are more pages than rows, neighbouring pages share a row.
 */
final class TimeLayout {
    private static final int MOST_ROWS = 512;

    /** A row of one band: pages from the first to the last one, and accesses by slice of time. */
    record Row(long firstPage, long lastPage, long[] counts) {}

    /** A band with its rows. */
    record Part(Band band, List<Row> rows) {}

    private final Heat heat;
    private final List<Part> parts = new ArrayList<>();
    private final int slices;
    private long most = 1;

    TimeLayout(Heat heat, boolean byAddress) {
        this.heat = heat;
        this.slices = (int) Math.max(1, (heat.end() - 1) / heat.cells().slice() + 1);
        long[][] counts = new long[heat.pageCount()][slices];
        heat.cells()
                .each((page, name, thread, slice, loads, stores, reads, writes) ->
                        counts[page][slice] += loads + stores + reads + writes);
        List<Band> bands = Band.touched(heat, byAddress);
        int together = Math.max(1, bands.stream().mapToInt(Band::touched).sum() / MOST_ROWS + 1);
        for (Band band : bands) {
            parts.add(new Part(band, rows(pagesOf(band), counts, together)));
        }
    }

    List<Part> parts() {
        return parts;
    }

    int slices() {
        return slices;
    }

    /** Accesses in the cell with most. */
    Scale scale() {
        return new Scale(most);
    }

    private List<Integer> pagesOf(Band band) {
        List<Integer> pages = new ArrayList<>();
        for (int i = 0; i < heat.pageCount(); i++) {
            if (heat.page(i) >= band.firstPage() && heat.page(i) <= band.lastPage()) {
                pages.add(i);
            }
        }
        pages.sort(Comparator.comparingLong(heat::page));
        return pages;
    }

    private List<Row> rows(List<Integer> pages, long[][] counts, int together) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < pages.size(); i += together) {
            int end = Math.min(pages.size(), i + together);
            long[] sum = new long[slices];
            for (int page : pages.subList(i, end)) {
                for (int slice = 0; slice < slices; slice++) {
                    sum[slice] += counts[page][slice];
                }
            }
            for (long count : sum) {
                most = Math.max(most, count);
            }
            rows.add(new Row(heat.page(pages.get(i)), heat.page(pages.get(end - 1)), sum));
        }
        return rows;
    }
}
