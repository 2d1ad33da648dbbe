package dev.madt.view.heatmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/**
 * Regions that share pages, over time, in a few rows.
 *
 * @param label what pictures write beside the band
 * @param regions what lines print for its regions
 * @param pages how many of its pages were accessed
 * @param events accesses, and bulk transfers on each page that they touched
 * @param rows neighbouring pages, the lowest addresses first
 */
public record TimeBand(String label, List<String> regions, int pages, long events, List<Row> rows) {
    /**
     * Pages of a band.
     *
     * @param first address of the first page
     * @param end address behind the last page
     * @param counts what happened on them in each slice of time
     */
    public record Row(long first, long end, long[] counts) {}

    private static final int LEAST_ROWS = 2;

    /** Slices of time that a heatmap has. */
    public static int slices(Heat heat) {
        return (int) Math.max(1, (heat.end() - 1) / heat.cells().slice() + 1);
    }

    /** Accesses in a slice of time, of which the last one may have fewer. */
    public static long slice(Heat heat) {
        return heat.cells().slice();
    }

    /**
     * The bands that were accessed, the hottest first.
     *
     * @param mostRows rows of all bands together, of which each band has some by its share of what
     *     happened, but no band fewer than two
     */
    public static List<TimeBand> of(Heat heat, int mostRows) {
        List<Band> bands = new ArrayList<>(Band.touched(heat, true));
        int[][] pages = pages(heat, bands);
        IntIntHashMap rowOfPage = new IntIntHashMap();
        long all = Math.max(1, bands.stream().mapToLong(Band::accesses).sum());
        List<TimeBand> result = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < bands.size(); i++) {
            Band band = bands.get(i);
            int wanted = (int) Math.max(LEAST_ROWS, mostRows * band.accesses() / all);
            int from = rows.size();
            fold(heat, pages[i], wanted, rows, rowOfPage);
            result.add(new TimeBand(
                    band.label(),
                    band.labels().stream().distinct().toList(),
                    band.touched(),
                    band.accesses(),
                    List.copyOf(rows.subList(from, rows.size()))));
        }
        heat.cells()
                .each((page, name, thread, slice, loads, stores, reads, writes) ->
                        rows.get(rowOfPage.get(page)).counts[slice] +=
                                loads + stores + reads + writes);
        result.sort(Comparator.comparingLong(TimeBand::events).reversed());
        return result;
    }

    /** The indexes of the pages of each band, by address; bands by address, too. */
    private static int[][] pages(Heat heat, List<Band> bands) {
        Integer[] order = new Integer[heat.pageCount()];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, (a, b) -> Long.compareUnsigned(heat.page(a), heat.page(b)));
        int[][] pages = new int[bands.size()][];
        int at = 0;
        for (int i = 0; i < pages.length; i++) {
            int from = at;
            while (at < order.length
                    && Long.compareUnsigned(heat.page(order[at]), bands.get(i).lastPage()) <= 0) {
                at++;
            }
            pages[i] =
                    Arrays.stream(order, from, at).mapToInt(Integer::intValue).toArray();
        }
        return pages;
    }

    /** Puts pages into so many rows, neighbours together. */
    private static void fold(
            Heat heat, int[] pages, int wanted, List<Row> rows, IntIntHashMap rowOfPage) {
        int together = (pages.length + wanted - 1) / wanted;
        for (int from = 0; from < pages.length; from += together) {
            int last = Math.min(pages.length, from + together) - 1;
            for (int i = from; i <= last; i++) {
                rowOfPage.put(pages[i], rows.size());
            }
            rows.add(new Row(
                    heat.page(pages[from]) << heat.pageBits(),
                    heat.page(pages[last]) + 1 << heat.pageBits(),
                    new long[slices(heat)]));
        }
    }
}
