package dev.madt.sql;

import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TextPool;
import dev.madt.view.Analysis;
import dev.madt.view.Selection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A table whose rows an analysis of each trace gives. */
final class EventTable implements TraceTable {
    /** Makes the analysis of a trace. */
    interface Rows {
        Analysis of(RowSink rows);
    }

    private final String name;
    private final TraceSource traces;
    private final Pools pools;
    private final List<Column> columns;
    private final Rows rows;

    EventTable(String name, TraceSource traces, Pools pools, List<Column> columns, Rows rows) {
        this.name = name;
        this.traces = traces;
        this.pools = pools;
        this.columns = columns;
        this.rows = rows;
    }

    /** Columns by their names and, behind a blank, i for INTEGER, l for BIGINT, t for VARCHAR. */
    static List<Column> columns(String... described) {
        List<Column> columns = new ArrayList<>();
        for (String one : described) {
            String[] words = one.split(" ");
            for (String word : words[1].split(",")) {
                columns.add(new Column(
                        word,
                        switch (words[0]) {
                            case "i" -> DuckType.INTEGER;
                            case "l" -> DuckType.BIGINT;
                            default -> DuckType.TEXT;
                        }));
            }
        }
        return columns;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public List<String> arguments() {
        return traces.selectors();
    }

    @Override
    public TableScan open(int[] asked, Map<String, String> arguments) {
        Selection selection = traces.selection(arguments);
        List<DuckType> types = new ArrayList<>();
        for (int column : asked) {
            types.add(column < 0 ? null : columns.get(column).type());
        }
        TextPool pool = pools.add();
        return new TableScan(name, types, writer -> {
            for (Path file : traces.files()) {
                RowSink sink =
                        new RowSink(writer, asked, pool, file.getFileName().toString());
                traces.read(
                        file, selection, true, false, known -> rows.of(sink), writer::isUnwanted);
            }
            if (writer.isEmpty()) {
                traces.tellEmpty(name);
            }
        });
    }
}
