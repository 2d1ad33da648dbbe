package dev.madt.view.report;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two reports by the same key, row by row: what grew, shrank, is new or gone. Rows are the same
 * where their names are.
 */
public final class Difference {
    /**
     * The function of a call and its place there, as in {@code <malloc@make+40>}, with the mark of
     * a tail call.
     */
    private static final Pattern CALL = Pattern.compile("@(.*)\\+\\d+~?>");

    /** A row of both reports. */
    private static final class Row {
        private final String name;
        private final String region;
        private long before;
        private long after;

        Row(String name, String region) {
            this.name = name;
            this.region = region;
        }

        long change() {
            return after - before;
        }
    }

    private final ReportKey key;
    private final Measure measure;
    private final Predicate<String> moved;
    private boolean hasMoved;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /**
     * @param moved returns whether calls of a function may be at another offset in the other trace:
     *     these are told apart by what their blocks hold instead
     */
    public Difference(ReportKey key, Measure measure, Predicate<String> moved) {
        this.key = key;
        this.measure = measure;
        this.moved = moved;
    }

    /** Returns whether there are rows of calls without their offsets. */
    public boolean hasMoved() {
        return hasMoved;
    }

    /**
     * Takes the rows of two reports, which are at their ends. The program itself is the same module
     * in both, also if its file has another name.
     */
    public void compare(Report before, Report after) {
        for (Tally tally : before.rows()) {
            row(tally, renamed(tally.name(), before, after), renamed(tally.region(), before, after))
                            .before +=
                    measure.of(tally, before.siteOf(tally));
        }
        for (Tally tally : after.rows()) {
            row(tally, tally.name(), tally.region()).after +=
                    measure.of(tally, after.siteOf(tally));
        }
    }

    private static String renamed(String module, Report before, Report after) {
        return before.ownModule().equals(module) ? after.ownModule() : module;
    }

    private Row row(Tally tally, String name, String region) {
        String shown = shown(tally, name);
        return rows.computeIfAbsent(shown + '\n' + region, absent -> new Row(shown, region));
    }

    private String shown(Tally tally, String name) {
        Matcher call = CALL.matcher(name);
        if (!call.find() || !moved.test(call.group(1))) {
            return name;
        }
        hasMoved = true;
        return call.replaceFirst("@$1>") + (tally.type() == null ? "" : " " + tally.type());
    }

    /**
     * The rows that differ, greatest change first.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        List<Row> changed = new ArrayList<>(rows.values());
        changed.removeIf(row -> row.change() == 0);
        changed.sort(Comparator.comparingLong((Row row) -> Math.abs(row.change()))
                .reversed()
                .thenComparing(row -> row.name));
        boolean regions = changed.stream().anyMatch(row -> row.region != null);
        List<String> headings = new ArrayList<>(List.of(
                "before",
                "after",
                "change",
                "relative",
                "state",
                key == ReportKey.SITE ? "allocation site" : key.word()));
        if (regions) {
            headings.add(
                    key == ReportKey.FUNCTION
                            ? "module"
                            : key == ReportKey.LINE ? "function" : "region");
        }
        Table table = new Table("changes", headings);
        List<Row> shown = top > 0 && top < changed.size() ? changed.subList(0, top) : changed;
        shown.forEach(row ->
                table.row(cells(row.before, row.after, state(row), row.name, regions, row.region)));
        long before = rows.values().stream().mapToLong(row -> row.before).sum();
        long after = rows.values().stream().mapToLong(row -> row.after).sum();
        table.total(cells(before, after, null, "total", regions, null));
        return table.hidden(changed.size() - shown.size());
    }

    private static Object[] cells(
            long before, long after, String state, String name, boolean regions, String region) {
        List<Object> cells = new ArrayList<>(List.of(before, after, after - before));
        cells.add(before == 0 ? null : new Table.Share((double) (after - before) / before));
        cells.add(state);
        cells.add(name);
        if (regions) {
            cells.add(region);
        }
        return cells.toArray();
    }

    private static String state(Row row) {
        if (row.before == 0) {
            return "new";
        }
        return row.after == 0 ? "gone" : row.after > row.before ? "grew" : "shrank";
    }

    /** Returns how many rows are equal in both. */
    public long equal() {
        return rows.values().stream()
                .filter(row -> row.change() == 0 && row.before > 0)
                .count();
    }
}
