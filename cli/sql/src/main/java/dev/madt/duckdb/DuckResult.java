package dev.madt.duckdb;

import dev.madt.natives.NativeMemory;
import dev.madt.natives.NativeWords;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The rows of a statement, read once from the first to the last. */
public final class DuckResult implements AutoCloseable {
    /** Bytes of the structure duckdb_result. */
    static final int BYTES = 48;

    /** As duckdb.h has it: DUCKDB_RESULT_TYPE_QUERY_RESULT. */
    private static final int ROWS = 3;

    private static final long INLINED = 12;
    private static final int HUGE_BYTES = 16;
    private static final int MASK_BITS = 63;

    private final NativeMemory result;

    DuckResult(NativeMemory result) {
        this.result = result;
    }

    String error() {
        long text = DuckLibrary.function("duckdb_result_error").call(result.address());
        return text == 0 ? "unknown error" : NativeMemory.text(text);
    }

    /** Returns whether the statement is one that gives rows. */
    public boolean isRows() {
        return (int) DuckLibrary.function("duckdb_result_return_type")
                        .callWith(result.address(), BYTES / Long.BYTES)
                == ROWS;
    }

    /** Names of the columns. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        long count = DuckLibrary.function("duckdb_column_count").call(result.address());
        for (long i = 0; i < count; i++) {
            names.add(NativeMemory.text(
                    DuckLibrary.function("duckdb_column_name").call(result.address(), i)));
        }
        return names;
    }

    /** Kinds of the columns. */
    public List<DuckType> types() {
        List<DuckType> types = new ArrayList<>();
        long count = DuckLibrary.function("duckdb_column_count").call(result.address());
        for (long i = 0; i < count; i++) {
            types.add(DuckType.of(
                    (int) DuckLibrary.function("duckdb_column_type").call(result.address(), i)));
        }
        return types;
    }

    /** A value for each column of a row: a Long, BigInteger, Double, Boolean or String, or null. */
    public void rows(Consumer<Object[]> to) {
        List<DuckType> types = types();
        try (NativeMemory at = new NativeMemory(Long.BYTES)) {
            long chunk = next();
            while (chunk != 0) {
                give(chunk, types, to);
                NativeWords.put(at.address(), chunk);
                DuckLibrary.function("duckdb_destroy_data_chunk").call(at.address());
                chunk = next();
            }
        }
    }

    private long next() {
        return DuckLibrary.function("duckdb_fetch_chunk")
                .callWith(result.address(), BYTES / Long.BYTES);
    }

    private static void give(long chunk, List<DuckType> types, Consumer<Object[]> to) {
        int columns = types.size();
        long[] data = new long[columns];
        long[] valid = new long[columns];
        for (int column = 0; column < columns; column++) {
            long vector = DuckLibrary.function("duckdb_data_chunk_get_vector").call(chunk, column);
            data[column] = DuckLibrary.function("duckdb_vector_get_data").call(vector);
            valid[column] = DuckLibrary.function("duckdb_vector_get_validity").call(vector);
        }
        long rows = DuckLibrary.function("duckdb_data_chunk_get_size").call(chunk);
        for (int row = 0; row < rows; row++) {
            Object[] cells = new Object[columns];
            for (int column = 0; column < columns; column++) {
                cells[column] = isValid(valid[column], row)
                        ? value(types.get(column), data[column], row)
                        : null;
            }
            to.accept(cells);
        }
    }

    private static boolean isValid(long mask, int row) {
        return mask == 0
                || (NativeWords.getLong(mask + (row >> 6) * (long) Long.BYTES) >>> (row & MASK_BITS)
                                & 1)
                        != 0;
    }

    private static Object value(DuckType type, long data, int row) {
        return switch (type) {
            case BOOLEAN -> NativeWords.getByte(data + row) != 0;
            case TINYINT -> (long) NativeWords.getByte(data + row);
            case UTINYINT -> (long) Byte.toUnsignedInt(NativeWords.getByte(data + row));
            case SMALLINT -> (long) NativeWords.getShort(data + row * (long) Short.BYTES);
            case USMALLINT ->
                (long) Short.toUnsignedInt(NativeWords.getShort(data + row * (long) Short.BYTES));
            case INTEGER -> (long) NativeWords.getInt(data + row * (long) Integer.BYTES);
            case UINTEGER ->
                Integer.toUnsignedLong(NativeWords.getInt(data + row * (long) Integer.BYTES));
            case BIGINT -> NativeWords.getLong(data + row * (long) Long.BYTES);
            case UBIGINT -> unsigned(NativeWords.getLong(data + row * (long) Long.BYTES));
            case HUGEINT -> huge(data + row * (long) HUGE_BYTES);
            case FLOAT ->
                (double)
                        Float.intBitsToFloat(NativeWords.getInt(data + row * (long) Integer.BYTES));
            case DOUBLE ->
                Double.longBitsToDouble(NativeWords.getLong(data + row * (long) Long.BYTES));
            case TEXT -> text(data + row * (long) HUGE_BYTES);
            case DECIMAL, UHUGEINT, OTHER -> "?"; // of what cannot be asked to cast it
        };
    }

    private static Object unsigned(long value) {
        return value >= 0 ? value : new BigInteger(Long.toUnsignedString(value));
    }

    /** A number of 128 bits; a Long where it fits, as sums nearly always do. */
    private static Object huge(long at) {
        long low = NativeWords.getLong(at);
        long high = NativeWords.getLong(at + Long.BYTES);
        return high == low >> MASK_BITS
                ? (Object) low
                : BigInteger.valueOf(high)
                        .shiftLeft(Long.SIZE)
                        .add(new BigInteger(Long.toUnsignedString(low)));
    }

    /** A string as duckdb_string_t has it: short ones lie in the structure itself. */
    private static String text(long at) {
        int length = NativeWords.getInt(at);
        long bytes = length <= INLINED ? at + Integer.BYTES : NativeWords.getLong(at + Long.BYTES);
        return new String(NativeWords.getBytes(bytes, length), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        DuckLibrary.function("duckdb_destroy_result").call(result.address());
        result.close();
    }
}
