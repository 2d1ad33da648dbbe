package dev.madt.spark;

import dev.madt.sql.AccessArguments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.GreaterThan;
import org.apache.spark.sql.sources.GreaterThanOrEqual;
import org.apache.spark.sql.sources.In;
import org.apache.spark.sql.sources.LessThan;
import org.apache.spark.sql.sources.LessThanOrEqual;

/**
 * Conditions that spare some of the reading: by the trace and the process, which traces are read,
 * and of accesses what {@code madt sql} selects by arguments of their table. Each of them takes all
 * rows that the condition lets through, and perhaps more.
 */
final class PushedFilters {
    /** Columns whose value an argument of the same name selects. */
    private static final Set<String> SELECTED = Set.of("function", "region", "thread", "kind");
    /** Names in which nothing means more than itself. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*|\\d{1,9}");

    private final boolean ofAccesses;
    private final List<Filter> taken = new ArrayList<>();
    private final Map<String, String> arguments = new TreeMap<>();
    private final Map<String, Set<String>> traces = new TreeMap<>();
    private long first;
    private long last = Long.MAX_VALUE;

    /** @param table that is read */
    PushedFilters(String table) {
        ofAccesses = table.equals("accesses");
    }

    /** Returns whether the table is that of accesses. */
    boolean areOfAccesses() {
        return ofAccesses;
    }

    /** Takes a condition, if it spares anything. */
    void take(Filter condition) {
        boolean useful;
        if (condition instanceof EqualTo equal) {
            useful = equal(equal.attribute(), equal.value());
        } else if (condition instanceof In in) {
            useful = oneOf(in.attribute(), in.values());
        } else if (condition instanceof GreaterThanOrEqual least) {
            useful = range(least.attribute(), least.value(), 0, true);
        } else if (condition instanceof GreaterThan below) {
            useful = range(below.attribute(), below.value(), 1, true);
        } else if (condition instanceof LessThanOrEqual most) {
            useful = range(most.attribute(), most.value(), 0, false);
        } else {
            useful = condition instanceof LessThan above
                    && range(above.attribute(), above.value(), -1, false);
        }
        if (useful) {
            taken.add(condition);
        }
    }

    private boolean equal(String column, Object value) {
        if (column.equals("number")) {
            return range(column, value, 0, true) && range(column, value, 0, false);
        }
        String text = String.valueOf(value);
        if (!ofAccesses || !SELECTED.contains(column) || !PLAIN.matcher(text).matches()) {
            return oneOf(column, value);
        }
        String meant = column.equals("kind") ? AccessArguments.kind(text) : text;
        return meant != null && arguments.putIfAbsent(column, meant) == null;
    }

    private boolean oneOf(String column, Object... values) {
        if (!column.equals("trace") && !column.equals("process")) {
            return false;
        }
        Set<String> texts = new HashSet<>();
        Arrays.stream(values).forEach(value -> texts.add(String.valueOf(value)));
        traces.merge(column, texts, (known, more) -> {
            known.retainAll(more);
            return known;
        });
        return true;
    }

    private boolean range(String column, Object value, int more, boolean least) {
        if (!ofAccesses || !column.equals("number") || !(value instanceof Long number)) {
            return false;
        }
        if (least) {
            first = Math.max(first, number == Long.MAX_VALUE ? number : number + more);
        } else {
            last = Math.min(last, Math.max(number, 0) + more);
        }
        return true;
    }

    /** The conditions that spare something. */
    Filter[] taken() {
        return taken.toArray(Filter[]::new);
    }

    /** The arguments of the table, but for those about the numbers of accesses. */
    Map<String, String> arguments() {
        return arguments;
    }

    /** The number of the first access that is wanted. */
    long first() {
        return first;
    }

    /** The number of the last access that is wanted. */
    long last() {
        return last;
    }

    /**
     * Returns whether a trace is wanted.
     *
     * @param column trace or process
     */
    boolean wants(String column, Object value) {
        Set<String> wanted = traces.get(column);
        return wanted == null || wanted.contains(String.valueOf(value));
    }
}
