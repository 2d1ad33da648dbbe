package dev.madt.view.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Says what is compared of two reports. */
public enum Measure {
    ACCESSES(Tally::accesses, null),
    LOADS(Tally::loads, null),
    STORES(Tally::stores, null),
    BYTES(Tally::bytes, null),
    BLOCKS(null, SiteTally::blocks),
    ALLOCATED(null, SiteTally::bytes),
    ALIVE(null, SiteTally::aliveBytes);

    private final ToLongFunction<Tally> ofRow;
    private final ToLongFunction<SiteTally> ofSite;

    Measure(ToLongFunction<Tally> ofRow, ToLongFunction<SiteTally> ofSite) {
        this.ofRow = ofRow;
        this.ofSite = ofSite;
    }

    /** Returns whether it is about the blocks of calls, so that the report has to be by site. */
    public boolean needsSites() {
        return ofRow == null;
    }

    /** @param site null for a row that is not about the blocks of a call */
    long of(Tally row, SiteTally site) {
        if (ofRow != null) {
            return ofRow.applyAsLong(row);
        }
        return site == null ? 0 : ofSite.applyAsLong(site);
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Measure::word).toList();
    }

    /** The measure with this name, or null. */
    public static Measure of(String word) {
        return Arrays.stream(values())
                .filter(measure -> measure.word().equals(word))
                .findFirst()
                .orElse(null);
    }
}
