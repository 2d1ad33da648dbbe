package dev.madt.view.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows under headings, ready to be written. A cell is a String, a Long, a {@link Share} or a map of counts (a histogram); null
 * is an empty cell.
 */
public final class Table {
    /** Keys that are not the heading with underscores: in headings, "block events" has room for no more. */
    private static final Map<String, String> OTHER_KEYS = Map.of("block events", "bulk_events", "block bytes", "bulk_bytes");

    /** A part of a whole, 0 to 1. */
    public record Share(double part) {}

    private final String name;
    private final List<String> headings;
    private final List<Object[]> rows = new ArrayList<>();
    private Object[] total;
    private int hidden;

    /** @param name what JSON calls the rows */
    public Table(String name, List<String> headings) {
        this.name = name;
        this.headings = List.copyOf(headings);
    }

    /** Adds a row with a cell for each heading. */
    public Table row(Object... cells) {
        rows.add(check(cells));
        return this;
    }

    /** Sets the row below the line. */
    public Table total(Object... cells) {
        total = check(cells);
        return this;
    }

    /** Says that there are rows which are not in the table. */
    public Table hidden(int count) {
        hidden = count;
        return this;
    }

    private Object[] check(Object[] cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException(cells.length + " cells under " + headings.size() + " headings");
        }
        return cells;
    }

    public String name() {
        return name;
    }

    public List<String> headings() {
        return headings;
    }

    /** What CSV and JSON call the columns: words without blanks. */
    public List<String> keys() {
        return headings.stream().map(Table::key).toList();
    }

    /** What CSV and JSON call a column. */
    static String key(String heading) {
        return OTHER_KEYS.getOrDefault(heading, heading.replace(' ', '_'));
    }

    public List<Object[]> rows() {
        return rows;
    }

    /** The row below the line, or null. */
    public Object[] total() {
        return total;
    }

    /** How many rows are left out. */
    public int hidden() {
        return hidden;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Long> histogram(Object cell) {
        return (Map<String, Long>) cell;
    }
}
