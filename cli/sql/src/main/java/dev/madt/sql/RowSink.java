package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import java.util.function.IntFunction;

/** Takes rows of a table by itself, value by value: of the columns that a query needs. */
final class RowSink {
    private final RowWriter rows;
    private final int[] asked;
    private final TextPool pool;

    /** @param asked indexes of the columns; negative: of none */
    RowSink(RowWriter rows, int[] asked, TextPool pool) {
        this.rows = rows;
        this.asked = asked;
        this.pool = pool;
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
     * @param values gives an Integer, a Long, a String or null for the index of a column
     */
    void add(IntFunction<Object> values) {
        Parcel parcel = rows.parcel();
        int row = parcel.count();
        for (int i = 0; i < asked.length; i++) {
            if (asked[i] >= 0) {
                put(parcel, i, row, values.apply(asked[i]));
            }
        }
        rows.added(1);
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
