package dev.madt.duckdb;

import dev.madt.natives.NativeMemory;
import dev.madt.natives.NativeWords;

/** A piece of a table that DuckDB waits for: so many rows at most, as a vector for each column. */
public final class DuckRows {
    /** Rows that a vector has room for (duckdb_vector_size). */
    public static final int CAPACITY = 2048;

    private final long chunk;

    DuckRows(long chunk) {
        this.chunk = chunk;
    }

    private long vector(int column) {
        return DuckLibrary.function("duckdb_data_chunk_get_vector").call(chunk, column);
    }

    private long data(int column) {
        return DuckLibrary.function("duckdb_vector_get_data").call(vector(column));
    }

    public void integers(int column, int[] values, int from, int count) {
        NativeWords.put(data(column), values, from, count);
    }

    public void longs(int column, long[] values, int from, int count) {
        NativeWords.put(data(column), values, from, count);
    }

    /** Texts, two words each as {@link TextPool} gives them. */
    public void texts(int column, long[] words, int from, int count) {
        NativeWords.put(data(column), words, 2 * from, 2 * count);
    }

    /**
     * Says which rows of a column have no value.
     *
     * @param valid a bit for each row, the first row in the lowest one of the first of these words
     */
    public void valid(int column, long[] valid, int from, int words) {
        long vector = vector(column);
        DuckLibrary.function("duckdb_vector_ensure_validity_writable").call(vector);
        long mask = DuckLibrary.function("duckdb_vector_get_validity").call(vector);
        NativeWords.put(mask, valid, from, words);
    }

    /** Gives all rows of a column one number. */
    public void sameInteger(int column, int value) {
        same(column, DuckLibrary.function("duckdb_create_int32").call(value));
    }

    /** Gives all rows of a column one number. */
    public void sameLong(int column, long value) {
        same(column, DuckLibrary.function("duckdb_create_int64").call(value));
    }

    /** Gives all rows of a column one text, by its two words. */
    public void sameText(int column, long head, long tail) {
        try (NativeMemory words = new NativeMemory(2 * Long.BYTES)) {
            words.bytes().putLong(0, head).putLong(Long.BYTES, tail);
            int length = (int) head;
            long bytes = length <= TextPool.INLINED ? words.address() + Integer.BYTES : tail;
            same(column, DuckLibrary.function("duckdb_create_varchar_length").call(bytes, length));
        }
    }

    /** Gives no row of a column a value. */
    public void nothing(int column) {
        same(column, DuckLibrary.function("duckdb_create_null_value").call());
    }

    private void same(int column, long value) {
        DuckLibrary.function("duckdb_vector_reference_value").call(vector(column), value);
        try (NativeMemory at = new NativeMemory(Long.BYTES)) {
            at.bytes().putLong(0, value);
            DuckLibrary.function("duckdb_destroy_value").call(at.address());
        }
    }

    /** Says how many rows there are, once all columns have them. */
    public void size(int rows) {
        DuckLibrary.function("duckdb_data_chunk_set_size").call(chunk, rows);
    }
}
