package dev.madt.view.heatmap;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Counts accesses as a heatmap does, and apart for each link between data and code, so that a
 * picture of the heatmap can show those of some links alone. With many links time is coarser than
 * in the heatmap.
 */
public final class LinkCells {
    /** Cells above which time is made coarser. */
    private static final int WANTED_CELLS = 300_000;

    private static final int NO_THREAD = 0;

    /** Takes what was counted of a link: on the pages of a row of a picture, in a slice of time. */
    public interface Visitor {
        void cell(int link, int row, int slice, long count);
    }

    private final Heat heat;
    private final HeatCells cells = new HeatCells(WANTED_CELLS);
    private long end;

    /** @param heat counts the same accesses; pages are its pages */
    public LinkCells(Heat heat) {
        this.heat = heat;
    }

    /**
     * Counts accesses of a link, which are in one slice of time.
     *
     * @param link below 2^20; of a negative one nothing is counted
     */
    public void access(int link, long address, long time, long times) {
        if (link >= 0) {
            cells.count(slot(link, address >>> heat.pageBits(), time), false, times);
        }
        end = (time & -cells.slice()) + cells.slice();
    }

    /** Counts a bulk transfer of a link once on each page that it touches. */
    public void transfer(int link, long address, long length, long time) {
        long last = address + Math.max(1, length) - 1 >>> heat.pageBits();
        for (long page = address >>> heat.pageBits(); link >= 0 && page <= last; page++) {
            cells.count(slot(link, page, time), false);
        }
    }

    private int slot(int link, long page, long time) {
        return cells.slot(heat.pageIndex(page), link, NO_THREAD, time);
    }

    /** Returns the number behind the last access of the slice of time at hand. */
    public long sliceEnd() {
        return end;
    }

    /** Returns how many accesses a slice of time has, the last one perhaps fewer. */
    public long slice() {
        return cells.slice();
    }

    /** Returns how many slices of time there are. */
    public int slices() {
        return (int) Math.max(1, (heat.end() - 1) / cells.slice() + 1);
    }

    /**
     * Gives what was counted on the rows of bands, which are numbered from 0 through all bands;
     * what lies on no row is left out. Cells of a link come by row and slice.
     */
    public void each(List<TimeBand> bands, Visitor visitor) {
        NavigableMap<Long, Integer> rowFrom = new TreeMap<>(Long::compareUnsigned);
        List<TimeBand.Row> rows =
                bands.stream().flatMap(band -> band.rows().stream()).toList();
        for (int i = 0; i < rows.size(); i++) {
            rowFrom.put(rows.get(i).first(), i);
        }
        Map<Integer, TreeMap<Long, Long>> links = new TreeMap<>();
        cells.each((page, link, thread, slice, loads, stores, reads, writes) -> {
            long address = heat.page(page) << heat.pageBits();
            Map.Entry<Long, Integer> row = rowFrom.floorEntry(address);
            if (row != null
                    && Long.compareUnsigned(address, rows.get(row.getValue()).end()) < 0) {
                links.computeIfAbsent(link, absent -> new TreeMap<>())
                        .merge((long) row.getValue() << Integer.SIZE | slice, loads, Long::sum);
            }
        });
        links.forEach((link, counts) -> counts.forEach((at, count) ->
                visitor.cell(link, (int) (at >>> Integer.SIZE), at.intValue(), count)));
    }
}
