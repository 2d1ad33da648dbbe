package dev.madt.view.toolkit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows under headings, ready to be written. A cell is a String, a Long or a larger BigInteger, a
 * {@link Share}, a {@link Time}, some {@link Times}, a {@link Labelled} number, a {@link Chain} or
 * a map of counts (a histogram); null is an empty cell.
 */
public final class Table {
    /**
     * Keys that are not the heading with underscores: in headings, "bulk transfers" has room for no
     * more.
     */
    private static final Map<String, String> OTHER_KEYS = Map.of(
            "bulk transfers", "bulk_events", "block bytes", "bulk_bytes", "alive at end", "alive");
    /** Headings of times, whose keys say the unit; text has it beside each of them. */
    private static final Set<String> TIMES = Set.of(
            "total",
            "self",
            "cpu",
            "waited",
            "held",
            "preempted",
            "syscalls",
            "min",
            "mean",
            "median",
            "p99",
            "max");

    /** A part of a whole, 0 to 1. */
    public record Share(double part) {
        /** For other programs: six digits behind the point. */
        String plain() {
            return String.format(Locale.ROOT, "%.6f", part);
        }
    }

    /** Nanoseconds; a text has them in a unit that fits. */
    public record Time(long nanos) {
        private static final String[] UNITS = {"ns", "µs", "ms", "s"};
        private static final int THOUSAND = 1000;

        /** Three digits at least, and a unit. */
        public String text() {
            double value = nanos;
            int unit = 0;
            while (Math.abs(value) >= THOUSAND && unit < UNITS.length - 1) {
                value /= THOUSAND;
                unit++;
            }
            int digits = unit == 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
            return String.format(Locale.ROOT, "%,." + digits + "f %s", value, UNITS[unit]);
        }
    }

    /** Nanoseconds from one number to another; a text has both in units that fit. */
    public record Times(long least, long most) {
        String text() {
            return most < 2
                    ? most + " ns"
                    : new Time(least).text() + " to " + new Time(most).text();
        }

        /** Returns them for other programs. */
        @Override
        public String toString() {
            return (most < 2 ? "" : least + " to ") + most + " ns";
        }
    }

    /** A number that has a name, which a text has instead. */
    public record Labelled(long number, String label) {
        /** Returns the number, for other programs. */
        @Override
        public String toString() {
            return Long.toString(number);
        }
    }

    /**
     * Calls that led to something, the innermost first; a text has them below their row.
     *
     * @param whole a text has all of them, in several lines if need be; else those that one line
     *     has room for
     */
    public record Chain(List<String> calls, boolean whole) {
        /** Stands between a function and the one that called it. */
        static final String CALLER = " ← ";

        /** Holds calls of which a text shows the innermost. */
        public Chain(List<String> calls) {
            this(calls, false);
        }

        @Override
        public String toString() {
            return String.join(CALLER, calls);
        }
    }

    /** A cell that has a line of its own in a text, below its row and whole. */
    public record Below(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private final String name;
    private final List<String> headings;
    private final List<Object[]> rows = new ArrayList<>();
    private Set<String> extra = Set.of();
    private List<String> spare = List.of();
    private List<String> lastSpare = List.of();
    private List<String> parts = List.of();
    private Object[] rest;
    private Object[] total;
    private int hidden;
    private boolean asked;
    private boolean chosen;

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

    /** Says which columns a text leaves out unless all are asked for. */
    public Table extra(Collection<String> columns) {
        extra = Set.copyOf(columns);
        return this;
    }

    /** Says that each column was asked for: a text has it whole, also where it is empty. */
    public Table asked() {
        asked = true;
        return this;
    }

    /**
     * Says which columns a text can do without where they take the room of the rows' names, first
     * those that go first.
     */
    public Table spare(List<String> columns) {
        spare = List.copyOf(columns);
        return this;
    }

    /** As {@link #spare(List)}, of columns that go only where names could not be read otherwise. */
    public Table lastSpare(List<String> columns) {
        lastSpare = List.copyOf(columns);
        return this;
    }

    /** Says which columns are parts of another one: a text has all of them or none. */
    public Table parts(List<String> columns) {
        parts = List.copyOf(columns);
        return this;
    }

    /** The same table, in whose text this column is never left out. */
    public Table keeping(String column) {
        extra = extra.stream().filter(other -> !other.equals(column)).collect(Collectors.toSet());
        spare = spare.stream().filter(other -> !other.equals(column)).toList();
        return this;
    }

    /** Sets the row of what takes part in the total, but not in the order: it comes last. */
    public Table rest(Object... cells) {
        rest = cells == null ? null : check(cells);
        return this;
    }

    /** Sets the row below the line. */
    public Table total(Object... cells) {
        total = check(cells);
        return this;
    }

    /**
     * Adds the rows of the first things of a list, and says how many are left out.
     *
     * @param top rows at most; 0: all
     * @param cells of a thing
     */
    public <T> Table first(List<T> all, int top, Function<T, Object[]> cells) {
        int shown = top > 0 && top < all.size() ? top : all.size();
        all.subList(0, shown).forEach(one -> row(cells.apply(one)));
        return hidden(all.size() - shown);
    }

    /** Says that there are rows which are not in the table. */
    public Table hidden(int count) {
        hidden = count;
        return this;
    }

    private Object[] check(Object[] cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells under " + headings.size() + " headings");
        }
        return cells;
    }

    public String name() {
        return name;
    }

    public List<String> headings() {
        return headings;
    }

    /** Returns what CSV and JSON call the columns: words without blanks. */
    public List<String> keys() {
        return headings.stream().map(Table::key).toList();
    }

    /** Returns what CSV and JSON call a column. */
    public static String key(String heading) {
        return TIMES.contains(heading)
                ? heading + "_ns"
                : OTHER_KEYS.getOrDefault(heading, heading.replace(' ', '_'));
    }

    /** The rows but for {@link #rest()}. */
    public List<Object[]> rows() {
        return rows;
    }

    /** The row of what takes no part in the order, or null. */
    public Object[] rest() {
        return rest;
    }

    /** All rows that stand above the total. */
    public List<Object[]> allRows() {
        return Stream.concat(rows.stream(), Stream.ofNullable(rest)).toList();
    }

    /** The columns that a text leaves out unless all are asked for. */
    public Set<String> extra() {
        return extra;
    }

    /** The columns that a text can do without, first those that go first. */
    List<String> spare() {
        return spare;
    }

    boolean isAsked() {
        return asked;
    }

    /** Returns whether none of the columns may be left out. */
    boolean isChosen() {
        return asked || chosen;
    }

    List<String> lastSpare() {
        return lastSpare;
    }

    /** Returns whether a text leaves out two columns together. */
    boolean goTogether(int column, int other) {
        return column == other
                || parts.contains(headings.get(column)) && parts.contains(headings.get(other));
    }

    /**
     * A table with these columns alone, none of which is left out anywhere; what the table has not
     * is empty.
     */
    public Table only(List<String> columns) {
        int[] at = columns.stream().mapToInt(headings::indexOf).toArray();
        Table table = new Table(name, columns).hidden(hidden);
        table.chosen = true;
        rows.forEach(row -> table.row(cells(row, at)));
        table.rest = rest == null ? null : cells(rest, at);
        table.total = total == null ? null : cells(total, at);
        return table;
    }

    private static Object[] cells(Object[] row, int[] at) {
        return IntStream.of(at).mapToObj(i -> i < 0 ? null : row[i]).toArray();
    }

    /** A table of the same columns, rest and total, with other rows. */
    public Table with(List<Object[]> others) {
        Table table = new Table(name, headings)
                .extra(extra)
                .spare(spare)
                .lastSpare(lastSpare)
                .parts(parts)
                .hidden(hidden);
        table.asked = asked;
        table.chosen = chosen;
        table.rows.addAll(others);
        table.rest = rest;
        table.total = total;
        return table;
    }

    /** The row below the line, or null. */
    public Object[] total() {
        return total;
    }

    /** Returns how many rows are left out. */
    public int hidden() {
        return hidden;
    }

    /** Returns the cell of an integer of 64 bits that may have no sign. */
    public static Number number(long value, boolean unsigned) {
        return unsigned && value < 0
                ? (Number) new BigInteger(Long.toUnsignedString(value))
                : (Number) value;
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Long> histogram(Object cell) {
        return (Map<String, Long>) cell;
    }
}
