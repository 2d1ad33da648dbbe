package dev.madt.view.heatmap;

import java.util.Locale;

/** The words in pictures. */
final class Captions {
    private Captions() {}

    /** Returns what is shown: the command and what was selected. */
    static String of(Heat heat) {
        HeatSelection selection = heat.selection();
        String kind = selection.loads() && selection.stores()
                ? "loads and stores"
                : selection.loads() ? "loads" : "stores";
        String thread = selection.thread().isAll() ? "" : ", thread " + selection.thread();
        String symbol = selection.symbol() == null ? "" : ", selected data only";
        return heat.meta("command") + ": " + kind + symbol + thread;
    }

    static String of(Band band) {
        return String.format(
                Locale.ROOT,
                "%s   %,d %s to %,d of %,d %s",
                band.label(),
                band.accesses(),
                band.accesses() == 1 ? "access" : "accesses",
                band.touched(),
                band.pages(),
                band.pages() == 1 ? "page" : "pages");
    }

    /** {@code page of 4 KiB}. */
    static String unit(Heat heat) {
        int bits = heat.pageBits();
        String size = bits >= 20
                ? (1 << bits - 20) + " MiB"
                : bits >= 10 ? (1 << bits - 10) + " KiB" : (1 << bits) + " B";
        return "page of " + size;
    }

    static String address(long page, Heat heat) {
        return "0x" + Long.toHexString(page << heat.pageBits());
    }
}
