package dev.madt.sql;

import dev.madt.console.FileState;
import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TextPool;
import dev.madt.view.Selection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table {@code accesses}: a row for each load and each store. */
final class AccessTable implements TraceTable {
    private static final String NAME = "accesses";

    private final TraceSource traces;
    private final Pools pools;
    private final KeptCounts kept = new KeptCounts();

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
        boolean ofCalls = AccessColumn.any(columns, AccessColumn::isOfCalls);
        TextPool pool = pools.add();
        return new TableScan(NAME, types, rows -> {
            for (Path file : traces.files()) {
                FileState state = Files.isRegularFile(file) ? FileState.of(file) : null;
                if (kept.write(file, state, selection, columns, pool, rows)) {
                    continue;
                }
                CountedBy by = kept.by(file, state, selection, columns);
                AccessRows[] made = new AccessRows[1];
                traces.read(
                        file,
                        selection,
                        by.data(),
                        ofCalls,
                        known -> made[0] = new AccessRows(
                                file.getFileName().toString(), columns, by, pool, known, rows),
                        rows::isUnwanted);
                if (state != null && selection.isEverything() && !rows.isUnwanted()) {
                    kept.keep(file, made[0].counts(state));
                }
            }
            if (rows.isEmpty()) {
                traces.tellEmpty(NAME);
            }
        });
    }
}
