package dev.madt.view.overview;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows of one kind; those of equal name and region are one. */
final class Rows {
    private static final Comparator<Row> HOTTEST = Comparator.comparingLong(Row::accesses)
            .thenComparingLong(Row::transferBytes)
            .reversed()
            .thenComparing(Row::name);

    private final Map<String, Row> byName = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();

    Row of(String name, String region) {
        return byName.computeIfAbsent(name + '\n' + region, absent -> add(name, region));
    }

    private Row add(String name, String region) {
        Row row = new Row(rows.size(), name, region);
        rows.add(row);
        return row;
    }

    /** Returns those that were accessed, the hottest first. */
    List<Row> hottest() {
        return rows.stream()
                .filter(row -> row.accesses() + row.transfers() > 0)
                .sorted(HOTTEST)
                .toList();
    }
}
