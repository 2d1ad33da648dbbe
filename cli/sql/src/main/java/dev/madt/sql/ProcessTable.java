package dev.madt.sql;

import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TextPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table {@code processes}: a row for each trace, by what it says of itself. */
final class ProcessTable implements TraceTable {
    private static final List<Column> COLUMNS = EventTable.columns(
            "t trace", "i process,parent", "t program,command,ended,completeness");

    private final TraceSource traces;
    private final Pools pools;

    ProcessTable(TraceSource traces, Pools pools) {
        this.traces = traces;
        this.pools = pools;
    }

    @Override
    public List<Column> columns() {
        return COLUMNS;
    }

    @Override
    public TableScan open(int[] asked, Map<String, String> arguments) {
        List<DuckType> types = new ArrayList<>();
        for (int column : asked) {
            types.add(column < 0 ? null : COLUMNS.get(column).type());
        }
        TextPool pool = pools.add();
        return new TableScan("processes", types, writer -> {
            for (Path file : traces.files()) {
                Map<String, String> meta = traces.meta(file);
                RowSink rows =
                        new RowSink(writer, asked, pool, file.getFileName().toString());
                rows.meta(meta);
                rows.add(column -> value(meta, COLUMNS.get(column)));
            }
        });
    }

    private static Object value(Map<String, String> meta, Column column) {
        String text = Names.known(meta.get(column.name()));
        if (column.type() == DuckType.TEXT || text == null) {
            return text;
        }
        return text.matches("\\d{1,9}") ? Integer.valueOf(text) : null;
    }
}
