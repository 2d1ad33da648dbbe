package dev.madt.view.parquet;

import dev.madt.view.parquet.ParquetFile.Column;
import dev.madt.view.parquet.ParquetFile.Type;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The rows of a row group on their way to a file. A row has the number of its place and of its data
 * object in the group; what columns say of these is made once for each. 56 bytes a row.
 */
final class AccessGroup {
    private static final List<Column> COLUMNS = List.of(
            new Column("trace", Type.TEXT, false),
            new Column("process", Type.INT32, true),
            new Column("number", Type.INT64, false),
            new Column("thread", Type.INT32, false),
            new Column("kind", Type.TEXT, false),
            new Column("address", Type.INT64, false),
            new Column("size", Type.INT32, true),
            new Column("data", Type.TEXT, false),
            new Column("symbol", Type.TEXT, false),
            new Column("member", Type.TEXT, true),
            new Column("offset", Type.INT64, false),
            new Column("region", Type.TEXT, false),
            new Column("block", Type.INT64, true),
            new Column("site", Type.TEXT, true),
            new Column("allocated_at", Type.TEXT, true),
            new Column("type", Type.TEXT, true),
            new Column("function", Type.TEXT, false),
            new Column("code", Type.TEXT, false),
            new Column("module", Type.TEXT, false),
            new Column("file", Type.TEXT, true),
            new Column("line", Type.INT32, true),
            new Column("path", Type.TEXT, true),
            new Column("time", Type.INT64, true),
            new Column("window", Type.INT32, false));

    /** Stands for no value. */
    private static final int NOTHING = -1;

    private static final int[] ONE = {0};
    private static final int[] NONE = {NOTHING};

    final int[] places;
    final int[] objects;
    /** Numbers of members + 1; 0: none. */
    final int[] members;

    final int[] calls;
    final int[] threads;
    final int[] windows;
    final int[] kinds;
    final long[] numbers;
    final long[] addresses;
    final long[] offsets;
    final List<PlaceCells> placeCells = new ArrayList<>();
    final List<DataCells> dataCells = new ArrayList<>();
    final List<MemberCell> memberCells = new ArrayList<>();
    final List<CallCell> callCells = new ArrayList<>();

    /** Counts groups, so that cells know whether they have a number in this one. */
    int number;

    int rows;

    private final int[] indexes;
    private final ByteSink dictionary = new ByteSink();
    private final ByteSink page = new ByteSink();

    /** @param capacity rows at most */
    AccessGroup(int capacity) {
        places = new int[capacity];
        objects = new int[capacity];
        members = new int[capacity];
        calls = new int[capacity];
        threads = new int[capacity];
        windows = new int[capacity];
        kinds = new int[capacity];
        indexes = new int[capacity];
        numbers = new long[capacity];
        addresses = new long[capacity];
        offsets = new long[capacity];
    }

    int capacity() {
        return places.length;
    }

    static List<Column> columns() {
        return COLUMNS;
    }

    void clear() {
        rows = 0;
        number++;
        placeCells.clear();
        dataCells.clear();
        memberCells.clear();
        callCells.clear();
    }

    /** Writes all rows. */
    void write(ParquetFile file, String trace, Integer process) throws IOException {
        Arrays.fill(indexes, 0, rows, 0);
        texts(file, List.of(trace), indexes, ONE);
        numbers(
                file,
                process == null ? List.of() : List.of((long) process),
                Integer.BYTES,
                indexes,
                process == null ? NONE : ONE);
        page.clear();
        Encodings.deltas(numbers, rows, page);
        file.column(null, 0, page, Encodings.DELTA, rows, bounds(numbers));
        numbers(file, threads);
        texts(file, List.of("L", "S"), kinds, new int[] {0, 1});
        plain(file, addresses, bounds(addresses));
        byPlace(file, Integer.BYTES, PlaceCells::size);
        byData(file, DataCells::data);
        byData(file, DataCells::symbol);
        texts(
                file,
                memberCells.stream().map(cell -> cell.text).toList(),
                members,
                IntStream.rangeClosed(NOTHING, memberCells.size() - 1).toArray());
        plain(file, offsets, null);
        byData(file, DataCells::region);
        byData(file, Long.BYTES, DataCells::block);
        byData(file, DataCells::site);
        byData(file, DataCells::allocatedAt);
        byData(file, DataCells::type);
        byPlace(file, PlaceCells::function);
        byPlace(file, PlaceCells::code);
        byPlace(file, PlaceCells::module);
        byPlace(file, PlaceCells::file);
        byPlace(file, Integer.BYTES, PlaceCells::line);
        byCells(file, callCells, calls, cell -> cell.path);
        byCells(file, Long.BYTES, callCells, calls, cell -> cell.time);
        numbers(file, windows);
        file.endGroup(rows);
    }

    private long[] bounds(long[] values) {
        long[] bounds = {Long.MAX_VALUE, Long.MIN_VALUE};
        for (int i = 0; i < rows; i++) {
            bounds[0] = Math.min(bounds[0], values[i]);
            bounds[1] = Math.max(bounds[1], values[i]);
        }
        return bounds;
    }

    private void plain(ParquetFile file, long[] values, long[] bounds) throws IOException {
        page.clear();
        Encodings.plain(values, rows, page);
        file.column(null, 0, page, Encodings.PLAIN, rows, bounds);
    }

    private void byPlace(ParquetFile file, Function<PlaceCells, String> cell) throws IOException {
        byCells(file, placeCells, places, cell);
    }

    private void byData(ParquetFile file, Function<DataCells, String> cell) throws IOException {
        byCells(file, dataCells, objects, cell);
    }

    private void byPlace(ParquetFile file, int bytes, Function<PlaceCells, Long> cell)
            throws IOException {
        byCells(file, bytes, placeCells, places, cell);
    }

    private void byData(ParquetFile file, int bytes, Function<DataCells, Long> cell)
            throws IOException {
        byCells(file, bytes, dataCells, objects, cell);
    }

    private <C> void byCells(
            ParquetFile file, List<C> cells, int[] rowCells, Function<C, String> cell)
            throws IOException {
        List<String> values = new ArrayList<>();
        int[] codes = codes(cells, cell, new HashMap<>(), values);
        texts(file, values, rowCells, codes);
    }

    private <C> void byCells(
            ParquetFile file, int bytes, List<C> cells, int[] rowCells, Function<C, Long> cell)
            throws IOException {
        List<Long> values = new ArrayList<>();
        int[] codes = codes(cells, cell, new HashMap<>(), values);
        numbers(file, values, bytes, rowCells, codes);
    }

    private static <C, V> int[] codes(
            List<C> cells, Function<C, V> cell, Map<V, Integer> codes, List<V> values) {
        int[] ofCells = new int[cells.size()];
        for (int i = 0; i < ofCells.length; i++) {
            V value = cell.apply(cells.get(i));
            Integer code = value == null ? Integer.valueOf(NOTHING) : codes.get(value);
            if (code == null) {
                code = values.size();
                codes.put(value, code);
                values.add(value);
            }
            ofCells[i] = code;
        }
        return ofCells;
    }

    /** A column of few different numbers. */
    private void numbers(ParquetFile file, int[] values) throws IOException {
        Map<Integer, Integer> codes = new HashMap<>();
        List<Long> all = new ArrayList<>();
        int last = 0;
        int code = NOTHING;
        for (int i = 0; i < rows; i++) {
            if (code == NOTHING || values[i] != last) {
                last = values[i];
                code = codes.computeIfAbsent(last, absent -> all.size());
                if (code == all.size()) {
                    all.add((long) last);
                }
            }
            indexes[i] = code;
        }
        numbers(
                file,
                all,
                Integer.BYTES,
                indexes,
                IntStream.range(0, all.size()).toArray());
    }

    private void numbers(ParquetFile file, List<Long> values, int bytes, int[] cells, int[] codes)
            throws IOException {
        dictionary.clear();
        values.forEach(value -> dictionary.little(value, bytes));
        indexed(file, values.size(), cells, codes);
    }

    private void texts(ParquetFile file, List<String> values, int[] cells, int[] codes)
            throws IOException {
        dictionary.clear();
        values.forEach(dictionary::text);
        indexed(file, values.size(), cells, codes);
    }

    /**
     * Writes a column.
     *
     * @param values in the dictionary
     * @param cells of the rows
     * @param codes of the cells: their numbers in the dictionary, or {@link #NOTHING}
     */
    private void indexed(ParquetFile file, int values, int[] cells, int[] codes)
            throws IOException {
        boolean some = Arrays.stream(codes).anyMatch(code -> code == NOTHING);
        page.clear();
        int head = file.isOptional() ? page.reserve(Integer.BYTES) : -1;
        int count = rows;
        int[] those = cells;
        if (some && values > 0) {
            Encodings.levels(cells, rows, codes, page);
            count = withValue(cells, codes);
            those = indexes;
        } else if (some || head >= 0) {
            count = some ? 0 : rows;
            Encodings.run(some ? 0 : 1, rows, page);
        }
        if (head >= 0) {
            page.setInt(head, page.size() - head - Integer.BYTES);
        }
        int width = Encodings.width(values);
        page.put(width * Byte.SIZE);
        if (values == 1) {
            Encodings.run(0, count, page);
        } else if (values > 1) {
            Encodings.indexes(those, count, codes, width, page);
        }
        file.column(dictionary, values, page, Encodings.DICTIONARY, rows, null);
    }

    /** Moves the cells of values together, and returns how many there are. */
    private int withValue(int[] cells, int[] codes) {
        int count = 0;
        for (int i = 0; i < rows; i++) {
            int cell = cells[i];
            indexes[count] = cell;
            count += codes[cell] >= 0 ? 1 : 0;
        }
        return count;
    }
}
