package dev.madt.view.heatmap;

import dev.madt.trace.event.RegionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The regions that an address space had, one for each address: of several over time the latest. */
final class HeatRegions {

    /** A range with its label; {@code traced}: accesses to it would have been recorded. */
    record Region(long start, long end, String label, boolean traced) {}

    private final TreeMap<Long, Region> regions = new TreeMap<>(Long::compareUnsigned);

    void add(RegionKind kind, long start, long end, String label) {
        if (Long.compareUnsigned(start, end) >= 0) {
            return;
        }
        cut(start, end);
        boolean traced = kind != RegionKind.CODE
                && kind != RegionKind.STACK
                && kind != RegionKind.SPECIAL
                && kind != RegionKind.UNTRACED;
        regions.put(start, new Region(start, end, label, traced));
    }

    private void cut(long start, long end) {
        Map.Entry<Long, Region> entry = regions.lowerEntry(end);
        while (entry != null && Long.compareUnsigned(entry.getValue().end, start) > 0) {
            Region region = entry.getValue();
            regions.remove(region.start);
            if (Long.compareUnsigned(end, region.end) < 0) {
                regions.put(end, new Region(end, region.end, region.label, region.traced));
            }
            if (Long.compareUnsigned(region.start, start) < 0) {
                regions.put(
                        region.start, new Region(region.start, start, region.label, region.traced));
                return;
            }
            entry = regions.lowerEntry(end);
        }
    }

    /** All by address; neighbours with one label are one. */
    List<Region> all() {
        List<Region> all = new ArrayList<>();
        for (Region region : regions.values()) {
            Region before = all.isEmpty() ? null : all.get(all.size() - 1);
            if (before != null
                    && before.end == region.start
                    && before.label.equals(region.label)
                    && before.traced == region.traced) {
                all.set(
                        all.size() - 1,
                        new Region(before.start, region.end, region.label, region.traced));
            } else {
                all.add(region);
            }
        }
        return all;
    }
}
