package dev.madt.sql;

import dev.madt.duckdb.DuckConnection;
import dev.madt.duckdb.DuckFault;
import dev.madt.duckdb.DuckResult;
import dev.madt.duckdb.TableSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A database whose tables are traces, read anew by each query that names them. */
public final class SqlSession implements AutoCloseable {
    private final TraceTables tables;
    private final Path folder;
    private final DuckConnection connection;
    private final Consumer<String> hints;

    /**
     * Opens a session.
     *
     * @param memory that DuckDB may use, as it writes sizes; null: what it takes by itself
     * @param folder of its own, for what does not fit into the memory
     * @param hints is told what a query can never find
     */
    public SqlSession(TraceSource traces, String memory, Path folder, Consumer<String> hints)
            throws DuckFault, IOException {
        this.folder = folder;
        this.hints = hints;
        this.tables = new TraceTables(traces);
        Map<String, String> settings = new LinkedHashMap<>();
        // nothing is fetched, whatever a query names
        settings.put("autoinstall_known_extensions", "false");
        settings.put("autoload_known_extensions", "false");
        settings.put("temp_directory", folder.toString());
        if (memory != null) {
            settings.put("memory_limit", memory);
        }
        connection = new DuckConnection(settings);
        for (String name : tables.names()) {
            register(name, tables.source(name));
        }
        for (String statement : TraceTables.views()) {
            connection.execute(statement);
        }
    }

    /** Makes a table that takes arguments, and one of the same name without. */
    private void register(String name, TableSource source) throws DuckFault {
        connection.register(name, source);
        connection.execute("create view " + name + " as select * from " + name + "()");
    }

    /** Returns the folder where nobody else makes files. */
    Path folder() {
        return folder;
    }

    /** Returns whether a statement gives rows. */
    public boolean hasRows(String statement) throws DuckFault {
        return !connection.columns(statement).isEmpty();
    }

    /** Returns a query that gives the same rows, of which the reader is told what it can spare. */
    public String pushedDown(String query) throws DuckFault {
        return Pushdown.into(connection, query, hints);
    }

    /** Takes the rows of a result. */
    public interface RowTaker {
        void take(DuckResult result);
    }

    /** Carries out one statement and gives its rows, whose values are plain. */
    public void query(String statement, RowTaker taker) throws DuckFault {
        try (DuckResult result = connection.query(plain(statement))) {
            taker.take(result);
        } finally {
            tables.clear();
        }
    }

    /** Returns a statement with the same rows, in which lists and the like are texts. */
    private String plain(String statement) throws DuckFault {
        List<TableSource.Column> columns = connection.columns(statement);
        if (columns.stream().allMatch(column -> column.type().isPlain())) {
            return statement;
        }
        List<String> inner = new ArrayList<>(); // names of columns may be there twice
        List<String> outer = new ArrayList<>();
        for (TableSource.Column column : columns) {
            String name = "c" + inner.size();
            inner.add(name);
            outer.add(name + (column.type().isPlain() ? "" : "::varchar") + " as \""
                    + column.name().replace("\"", "\"\"") + '"');
        }
        return "select " + String.join(", ", outer) + " from (" + statement + "\n) r("
                + String.join(", ", inner) + ")";
    }

    /** Carries out one statement, whose result goes elsewhere. */
    public void execute(String statement) throws DuckFault {
        try {
            connection.execute(statement);
        } finally {
            tables.clear();
        }
    }

    /** Returns the columns of each table and view, with their types, in the order of the tables. */
    public Map<String, List<String>> columns() throws DuckFault {
        Map<String, List<String>> columns = new TreeMap<>();
        query(
                "select table_name, column_name || ' ' || data_type from"
                        + " information_schema.columns where table_schema = 'main'"
                        + " order by table_name, ordinal_position",
                result -> result.rows(
                        row -> columns.computeIfAbsent((String) row[0], absent -> new ArrayList<>())
                                .add((String) row[1])));
        return columns;
    }

    /** Ends the statement that runs. */
    public void interrupt() {
        connection.interrupt();
    }

    @Override
    public void close() {
        connection.close();
        tables.clear();
    }
}
