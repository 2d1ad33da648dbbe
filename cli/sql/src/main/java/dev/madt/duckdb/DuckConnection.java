package dev.madt.duckdb;

import dev.madt.natives.NativeMemory;
import dev.madt.natives.NativeWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A database in memory and the one connection to it. Statements run on the thread that gives them,
 * which is one of the JVM: so tables in Java cost no more than a call. With more threads the one
 * that gives a statement would spin for as long as another one waits for rows.
 */
public final class DuckConnection implements AutoCloseable {
    private final long database;
    private final long connection;
    /** Kept for as long as the library may call them. */
    private final List<DuckTable> tables = new ArrayList<>();

    /**
     * Opens a database.
     *
     * @param settings of DuckDB, by their names
     */
    public DuckConnection(Map<String, String> settings) throws DuckFault {
        database = open(settings);
        try (NativeMemory to = new NativeMemory(Long.BYTES)) {
            DuckLibrary.function("duckdb_connect").call(database, to.address());
            connection = to.bytes().getLong(0);
        }
    }

    private static long open(Map<String, String> settings) throws DuckFault {
        try (NativeMemory to = new NativeMemory(Long.BYTES);
                NativeMemory config = new NativeMemory(Long.BYTES);
                NativeMemory error = new NativeMemory(Long.BYTES)) {
            DuckLibrary.function("duckdb_create_config").call(config.address());
            long made = config.bytes().getLong(0);
            set(made, "threads", "1");
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                set(made, setting.getKey(), setting.getValue());
            }
            long state = DuckLibrary.function("duckdb_open_ext")
                    .call(0, to.address(), made, error.address());
            DuckLibrary.function("duckdb_destroy_config").call(config.address());
            if ((int) state != 0) {
                throw new DuckFault(taken(error.bytes().getLong(0)));
            }
            return to.bytes().getLong(0);
        }
    }

    private static void set(long config, String name, String value) throws DuckFault {
        try (NativeMemory key = utf8(name);
                NativeMemory text = utf8(value)) {
            if ((int) DuckLibrary.function("duckdb_set_config")
                            .call(config, key.address(), text.address())
                    != 0) {
                throw new DuckFault("'" + value + "' is no value for " + name);
            }
        }
    }

    static NativeMemory utf8(String text) {
        return NativeMemory.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a text that the library made for the caller, and frees it. */
    private static String taken(long text) {
        String copy = text == 0 ? "" : NativeMemory.text(text);
        if (text != 0) {
            DuckLibrary.function("duckdb_free").call(text);
        }
        return copy;
    }

    /** Makes a table function. */
    public void register(String name, TableSource source) throws DuckFault {
        DuckTable table = new DuckTable(source);
        tables.add(table);
        table.register(name, connection);
    }

    /** Carries out a statement whose result does not matter. */
    public void execute(String statement) throws DuckFault {
        query(statement).close();
    }

    /** Carries out one statement; its result is whole when this returns. */
    public DuckResult query(String statement) throws DuckFault {
        try (NativeMemory text = utf8(statement)) {
            NativeMemory result = new NativeMemory(DuckResult.BYTES);
            int state = (int) DuckLibrary.function("duckdb_query")
                    .call(connection, text.address(), result.address());
            DuckResult made = new DuckResult(result);
            if (state != 0) {
                String error = made.error();
                made.close();
                throw new DuckFault(error);
            }
            return made;
        }
    }

    /**
     * Returns a statement's columns, without carrying it out; nothing for what gives no rows.
     */
    public List<TableSource.Column> columns(String statement) throws DuckFault {
        try (NativeMemory text = utf8(statement);
                NativeMemory to = new NativeMemory(Long.BYTES)) {
            int state = (int) DuckLibrary.function("duckdb_prepare")
                    .call(connection, text.address(), to.address());
            long prepared = to.bytes().getLong(0);
            try {
                if (state != 0) {
                    throw new DuckFault(NativeMemory.text(
                            DuckLibrary.function("duckdb_prepare_error").call(prepared)));
                }
                int kind = (int)
                        DuckLibrary.function("duckdb_prepared_statement_type").call(prepared);
                return kind == SELECT ? columnsOf(prepared) : List.of();
            } finally {
                DuckLibrary.function("duckdb_destroy_prepare").call(to.address());
            }
        }
    }

    /** As duckdb.h has it: DUCKDB_STATEMENT_TYPE_SELECT. */
    private static final int SELECT = 1;

    private static List<TableSource.Column> columnsOf(long prepared) {
        List<TableSource.Column> columns = new ArrayList<>();
        long count =
                DuckLibrary.function("duckdb_prepared_statement_column_count").call(prepared);
        for (long i = 0; i < count; i++) {
            long type = DuckLibrary.function("duckdb_prepared_statement_column_type")
                    .call(prepared, i);
            long name = DuckLibrary.function("duckdb_prepared_statement_column_name")
                    .call(prepared, i);
            columns.add(new TableSource.Column(taken(name), DuckType.of((int) type)));
        }
        return columns;
    }

    /** Ends the statement that runs, if one does; called by any thread. */
    public void interrupt() {
        DuckLibrary.function("duckdb_interrupt").call(connection);
    }

    @Override
    public void close() {
        try (NativeMemory at = new NativeMemory(Long.BYTES)) {
            NativeWords.put(at.address(), connection);
            DuckLibrary.function("duckdb_disconnect").call(at.address());
            NativeWords.put(at.address(), database);
            DuckLibrary.function("duckdb_close").call(at.address());
        }
    }
}
