package dev.madt.sql;

import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TextPool;
import dev.madt.view.Selection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table {@code accesses}: a row for each load and each store. */
final class AccessTable implements TraceTable {
    private static final String NAME = "accesses";

    private final TraceSource traces;
    private final Pools pools;

    AccessTable(TraceSource traces, Pools pools) {
        this.traces = traces;
        this.pools = pools;
    }

    @Override
    public List<Column> columns() {
        return AccessColumn.all();
    }

    @Override
    public List<String> arguments() {
        return traces.selectors();
    }

    @Override
    public TableScan open(int[] asked, Map<String, String> arguments) {
        Selection selection = traces.selection(arguments);
        AccessColumn[] columns = new AccessColumn[asked.length];
        List<DuckType> types = new ArrayList<>();
        for (int i = 0; i < asked.length; i++) {
            columns[i] = asked[i] < 0 ? null : AccessColumn.values()[asked[i]];
            types.add(columns[i] == null ? null : columns[i].type());
        }
        boolean ofData = AccessColumn.any(columns, AccessColumn::isOfData);
        boolean ofCalls = AccessColumn.any(columns, AccessColumn::isOfCalls);
        TextPool pool = pools.add();
        return new TableScan(NAME, types, rows -> {
            for (Path file : traces.files()) {
                traces.read(
                        file,
                        selection,
                        ofData,
                        ofCalls,
                        known -> new AccessRows(
                                file.getFileName().toString(), columns, pool, known, rows),
                        rows::isUnwanted);
            }
            if (rows.isEmpty()) {
                traces.tellEmpty(NAME);
            }
        });
    }
}
