package dev.madt.sql;

import dev.madt.duckdb.DuckRows;
import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TextPool;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of a table on their way from the thread that reads a trace to one that works on a query: an
 * array for each column that the query needs. Numbers are ints or longs, texts two longs
 * ({@link TextPool}). Where {@link #times} is more than 1 there is one row, which stands for so
 * many.
 */
public final class Parcel {
    /** A multiple of what DuckDB takes at once, and of what a batch of accesses has. */
    public static final int ROWS = 1 << 15;

    private final int[][] integers;
    private final long[][] longs;
    private final boolean[] texts;
    /** A bit for each row that has a value; null as long as all have. */
    private final long[][] valid;

    private int count;
    private int taken;
    /** Rows that are all as the first one; 0: there are {@link #count} rows. */
    private long alike;

    /** @param types of the columns, null for one that has no values */
    Parcel(List<DuckType> types) {
        int columns = types.size();
        integers = new int[columns][];
        longs = new long[columns][];
        texts = new boolean[columns];
        valid = new long[columns][];
        for (int column = 0; column < columns; column++) {
            DuckType type = types.get(column);
            texts[column] = type == DuckType.TEXT;
            if (type == DuckType.INTEGER) {
                integers[column] = new int[ROWS];
            } else if (type != null) {
                longs[column] = new long[texts[column] ? 2 * ROWS : ROWS];
            }
        }
    }

    /** The rows that it has. */
    public int count() {
        return count;
    }

    boolean isFull() {
        return count == ROWS;
    }

    void add(int rows) {
        count += rows;
    }

    /** Says that it stands for so many rows, all of them as the first one. */
    void repeat(long rows) {
        alike = rows;
    }

    void clear() {
        count = 0;
        taken = 0;
        alike = 0;
        Arrays.fill(valid, null);
    }

    /** Returns how many rows each row stands for. */
    public long times() {
        return Math.max(1, alike);
    }

    /** The ints of a column; null where it has none. */
    public int[] integers(int column) {
        return integers[column];
    }

    /** The longs of a column, of one of texts two for each row; null where it has none. */
    public long[] longs(int column) {
        return longs[column];
    }

    void put(int column, int row, TextPool.Text text) {
        longs[column][2 * row] = text.head();
        longs[column][2 * row + 1] = text.tail();
    }

    /** Says that a row has no value; nobody looks at what stands there, which is of no text. */
    void putNothing(int column, int row) {
        if (valid[column] == null) {
            valid[column] = new long[ROWS / Long.SIZE];
            Arrays.fill(valid[column], -1);
        }
        valid[column][row / Long.SIZE] &= ~(1L << row);
        if (texts[column]) {
            put(column, row, TextPool.Text.EMPTY);
        }
    }

    /** Returns whether a column has texts. */
    public boolean isTexts(int column) {
        return texts[column];
    }

    /** Returns whether all rows have a value in a column. */
    public boolean isWhole(int column) {
        return valid[column] == null;
    }

    /** Returns whether a row has a value in a column. */
    public boolean has(int column, int row) {
        return valid[column] == null || (valid[column][row / Long.SIZE] >>> row & 1) != 0;
    }

    /** Returns whether rows are there that have not been given. */
    boolean hasMore() {
        return alike > 0 || taken < count;
    }

    /** Gives the next rows. */
    void give(DuckRows to) {
        if (alike > 0) {
            giveAlike(to);
        } else {
            giveNext(to);
        }
    }

    private void giveAlike(DuckRows to) {
        for (int column = 0; column < texts.length; column++) {
            if (valid[column] != null && (valid[column][0] & 1) == 0) {
                to.nothing(column);
            } else if (integers[column] != null) {
                to.sameInteger(column, integers[column][0]);
            } else if (texts[column]) {
                to.sameText(column, longs[column][0], longs[column][1]);
            } else if (longs[column] != null) {
                to.sameLong(column, longs[column][0]);
            }
        }
        int rows = (int) Math.min(DuckRows.CAPACITY, alike);
        to.size(rows);
        alike -= rows;
        taken = count;
    }

    private void giveNext(DuckRows to) {
        int rows = Math.min(DuckRows.CAPACITY, count - taken);
        for (int column = 0; column < texts.length; column++) {
            if (integers[column] != null) {
                to.integers(column, integers[column], taken, rows);
            } else if (texts[column]) {
                to.texts(column, longs[column], taken, rows);
            } else if (longs[column] != null) {
                to.longs(column, longs[column], taken, rows);
            }
            if (valid[column] != null) {
                int from = taken / Long.SIZE;
                int words = (rows + Long.SIZE - 1) / Long.SIZE;
                to.valid(column, valid[column], from, words);
            }
        }
        to.size(rows);
        taken += rows;
    }
}
