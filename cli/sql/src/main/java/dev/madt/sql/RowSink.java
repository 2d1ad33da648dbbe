package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Takes rows of a table about one trace by itself, value by value: of the columns that a query
 * needs. The first two are the same in all of them: the trace, and its process.
 */
final class RowSink {
    private final RowWriter rows;
    private final int[] asked;
    private final TextPool pool;
    private final String trace;
    private Integer process;

    /**
     * Begins with rows about a trace.
     *
     * @param asked indexes of the columns; negative: of none
     * @param trace name of its file
     */
    RowSink(RowWriter rows, int[] asked, TextPool pool, String trace) {
        this.trace = trace;
        this.rows = rows;
        this.asked = asked;
        this.pool = pool;
    }

    /** Takes what the trace says of itself, which names its process. */
    void meta(Map<String, String> values) {
        process = process == null ? Names.process(values) : process;
    }

    /** Returns whether one of these columns is needed. */
    boolean asks(int first, int last) {
        for (int column : asked) {
            if (column >= first && column <= last) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds a row.
     *
     * @param values gives an Integer, a Long, a String or null for the index of a column behind
     *     the first two
     */
    void add(IntFunction<Object> values) {
        Parcel parcel = rows.parcel();
        int row = parcel.count();
        for (int i = 0; i < asked.length; i++) {
            if (asked[i] >= 0) {
                put(parcel, i, row, value(asked[i], values));
            }
        }
        rows.added(1);
    }

    private Object value(int column, IntFunction<Object> values) {
        return column == 0 ? trace : column == 1 ? process : values.apply(column);
    }

    private void put(Parcel parcel, int column, int row, Object value) {
        if (value instanceof String text) {
            parcel.put(column, row, pool.of(text));
        } else if (value instanceof Integer number) {
            parcel.integers(column)[row] = number;
        } else if (value instanceof Long number) {
            parcel.longs(column)[row] = number;
        } else {
            parcel.putNothing(column, row);
        }
    }
}
