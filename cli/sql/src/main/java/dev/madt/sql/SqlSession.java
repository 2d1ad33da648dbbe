package dev.madt.sql;

import dev.madt.duckdb.DuckConnection;
import dev.madt.duckdb.DuckFault;
import dev.madt.duckdb.DuckResult;
import dev.madt.duckdb.DuckType;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A database whose tables are traces, read anew by each query that names them. */
public final class SqlSession implements AutoCloseable {
    private final Pools pools = new Pools();
    private final DuckConnection connection;

    /**
     * Opens a session.
     *
     * @param memory that DuckDB may use, as it writes sizes; null: what it takes by itself
     * @param folder for what does not fit into the memory
     */
    public SqlSession(TraceSource traces, String memory, Path folder) throws DuckFault {
        Map<String, String> settings = new LinkedHashMap<>();
        // nothing is fetched, whatever a query names
        settings.put("autoinstall_known_extensions", "false");
        settings.put("autoload_known_extensions", "false");
        settings.put("temp_directory", folder.toString());
        if (memory != null) {
            settings.put("memory_limit", memory);
        }
        connection = new DuckConnection(settings);
        connection.register("accesses", new AccessTable(traces, pools));
        connection.execute("create view accesses as select * from accesses()");
    }

    /** Returns whether a statement gives rows. */
    public boolean hasRows(String statement) throws DuckFault {
        return !connection.types(statement).isEmpty();
    }

    /** Takes the rows of a result. */
    public interface RowTaker {
        void take(DuckResult result);
    }

    /** Carries out one statement and gives its rows, whose values are plain. */
    public void query(String statement, RowTaker taker) throws DuckFault {
        List<DuckType> types = connection.types(statement);
        boolean plain = types.stream().allMatch(DuckType::isPlain);
        String text = plain ? statement : "select columns(*)::varchar from (" + statement + "\n)";
        try (DuckResult result = connection.query(text)) {
            taker.take(result);
        } finally {
            pools.clear();
        }
    }

    /** Carries out one statement, whose result goes elsewhere. */
    public void execute(String statement) throws DuckFault {
        try {
            connection.execute(statement);
        } finally {
            pools.clear();
        }
    }

    /** Ends the statement that runs. */
    public void interrupt() {
        connection.interrupt();
    }

    @Override
    public void close() {
        connection.close();
        pools.clear();
    }
}
