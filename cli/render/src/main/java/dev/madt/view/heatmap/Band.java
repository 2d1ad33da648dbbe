package dev.madt.view.heatmap;

import dev.madt.view.heatmap.HeatRegions.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.TreeSet;

/**
 * Regions that share pages, drawn together; pages are numbers, the last one included.
 *
 * @param labels what lines print for the regions, in the order of addresses
 * @param traced whether accesses to at least one of them would have been recorded
 * @param accesses how many there were
 * @param touched pages that were accessed
 * @param hottest accesses to the page with most
 */
record Band(
        List<String> labels,
        long firstPage,
        long lastPage,
        boolean traced,
        long accesses,
        int touched,
        long hottest) {
    private static final int SHOWN_LABELS = 3;

    long pages() {
        return lastPage - firstPage + 1;
    }

    String label() {
        List<String> distinct = labels.stream().distinct().toList();
        String some =
                String.join(" ", distinct.subList(0, Math.min(SHOWN_LABELS, distinct.size())));
        return distinct.size() > SHOWN_LABELS
                ? some + " +" + (distinct.size() - SHOWN_LABELS)
                : some;
    }

    /** The bands with accesses: by address, or the one with the hottest page first. */
    static List<Band> touched(Heat heat, boolean byAddress) {
        List<Band> bands = new ArrayList<>(of(heat));
        bands.removeIf(band -> band.touched == 0);
        if (!byAddress) {
            bands.sort(Comparator.comparingLong(Band::hottest).reversed());
        }
        return bands;
    }

    /** Returns what {@link #touched} leaves out, in words; empty if that is nothing. */
    static String untouched(Heat heat) {
        StringJoiner parts = new StringJoiner("; ", "not shown: ", "").setEmptyValue("");
        for (boolean traced : new boolean[] {true, false}) {
            List<Band> some = of(heat).stream()
                    .filter(band -> band.touched == 0 && band.traced == traced)
                    .toList();
            if (!some.isEmpty()) {
                long pages = some.stream().mapToLong(Band::pages).sum();
                parts.add(String.format(
                        Locale.ROOT,
                        "%,d %s (%,d %s) %s",
                        some.size(),
                        some.size() == 1 ? "region" : "regions",
                        pages,
                        pages == 1 ? "page" : "pages",
                        traced ? "not accessed" : "not traced"));
            }
        }
        return parts.toString();
    }

    /** The bands of a heatmap by address; pages outside of all regions make bands of their own. */
    static List<Band> of(Heat heat) {
        long[] totals = heat.totals();
        TreeSet<Integer> left =
                new TreeSet<>((a, b) -> Long.compareUnsigned(heat.page(a), heat.page(b)));
        for (int i = 0; i < totals.length; i++) {
            if (totals[i] > 0) {
                left.add(i);
            }
        }
        List<Band> bands = new ArrayList<>();
        for (Band empty : ranges(heat)) {
            while (!left.isEmpty()
                    && Long.compareUnsigned(heat.page(left.first()), empty.firstPage) < 0) {
                bands.add(filled(unknown(heat.page(left.first())), heat, totals, left));
            }
            bands.add(filled(empty, heat, totals, left));
        }
        while (!left.isEmpty()) {
            bands.add(filled(unknown(heat.page(left.first())), heat, totals, left));
        }
        return bands;
    }

    private static Band unknown(long page) {
        return new Band(List.of("[?]"), page, page, true, 0, 0, 0);
    }

    /** The band with what was counted on its pages, which are taken out of {@code left}. */
    private static Band filled(Band empty, Heat heat, long[] totals, TreeSet<Integer> left) {
        long accesses = 0;
        int touched = 0;
        long hottest = 0;
        while (!left.isEmpty()
                && Long.compareUnsigned(heat.page(left.first()), empty.lastPage) <= 0) {
            long count = totals[left.pollFirst()];
            accesses += count;
            hottest = Math.max(hottest, count);
            touched++;
        }
        return new Band(
                empty.labels,
                empty.firstPage,
                empty.lastPage,
                empty.traced || touched > 0,
                accesses,
                touched,
                hottest);
    }

    /** The regions as ranges of pages, those that share a page joined. */
    private static List<Band> ranges(Heat heat) {
        List<Band> ranges = new ArrayList<>();
        for (Region region : heat.regions()) {
            long first = region.start() >>> heat.pageBits();
            long last = region.end() - 1 >>> heat.pageBits();
            Band before = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
            if (before != null && before.lastPage == first) {
                List<String> labels = new ArrayList<>(before.labels);
                labels.add(region.label());
                ranges.set(
                        ranges.size() - 1,
                        new Band(
                                labels,
                                before.firstPage,
                                last,
                                before.traced || region.traced(),
                                0,
                                0,
                                0));
            } else {
                ranges.add(
                        new Band(List.of(region.label()), first, last, region.traced(), 0, 0, 0));
            }
        }
        return ranges;
    }
}
