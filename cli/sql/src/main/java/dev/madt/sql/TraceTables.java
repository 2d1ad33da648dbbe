package dev.madt.sql;

import dev.madt.console.TextResource;
import dev.madt.duckdb.TableSource;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All tables of some traces, for whatever carries out queries. */
public final class TraceTables implements AutoCloseable {
    private final TraceSource traces;
    private final Pools pools = new Pools();
    private final Map<String, TraceTable> tables = new LinkedHashMap<>();

    public TraceTables(TraceSource traces) {
        this.traces = traces;
        tables.put("accesses", new AccessTable(traces, pools));
        tables.put("processes", new ProcessTable(traces, pools));
        events("transfers", TransferRows.COLUMNS, TransferRows::new);
        events("blocks", BlockRows.COLUMNS, BlockRows::new);
        events("calls", CallList.COLUMNS, CallList::new);
        events("threads", ThreadRows.COLUMNS, ThreadRows::new);
        events("windows", WindowRows.COLUMNS, WindowRows::new);
        events("regions", RegionRows.COLUMNS, RegionRows::new);
    }

    private void events(String name, List<TableSource.Column> columns, EventTable.Rows rows) {
        tables.put(name, new EventTable(name, traces, pools, columns, rows));
    }

    /** Returns the names of the tables. */
    public List<String> names() {
        return List.copyOf(tables.keySet());
    }

    /** Returns the columns of a table; null if there is no such table. */
    public List<TableSource.Column> columns(String name) {
        TraceTable table = tables.get(name);
        return table == null ? null : table.columns();
    }

    /** Returns the statements that make the views, in front of which the tables must be there. */
    public static List<String> views() throws IOException {
        return SqlText.statements(TextResource.read(TraceTables.class, "views.sql"));
    }

    TableSource source(String name) {
        return tables.get(name);
    }

    /**
     * Begins to read a table. Its texts are valid until this is cleared or closed.
     *
     * @param asked indexes of the columns that are needed, in the order of those of the parcels
     * @param arguments those by which the table selects
     * @throws IllegalArgumentException with a sentence for the user
     */
    public TableScan open(String name, int[] asked, Map<String, String> arguments) {
        return tables.get(name).open(asked, arguments);
    }

    /** Frees the texts of all readings, which are over. */
    public void clear() {
        pools.clear();
    }

    @Override
    public void close() {
        clear();
    }
}
