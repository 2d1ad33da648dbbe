package dev.madt.duckdb;

import dev.madt.natives.NativeCallback;
import dev.madt.natives.NativeMemory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A table function of DuckDB whose rows come from a {@link TableSource}. What C code keeps of a
 * query is a number: of the arguments it gave, and of the rows it reads.
 */
final class DuckTable {
    private final TableSource source;
    private final Map<Long, Map<String, String>> given = new ConcurrentHashMap<>();
    private final Map<Long, TableSource.Rows> open = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final NativeCallback bind = new NativeCallback(1, (info, none) -> bind(info));
    private final NativeCallback init = new NativeCallback(1, (info, none) -> init(info));
    private final NativeCallback fill = new NativeCallback(2, this::fill);
    private final NativeCallback unbind = new NativeCallback(1, (at, none) -> unbind(at));
    private final NativeCallback end = new NativeCallback(1, (at, none) -> end(at));

    DuckTable(TableSource source) {
        this.source = source;
    }

    void register(String name, long connection) throws DuckFault {
        long table = DuckLibrary.function("duckdb_create_table_function").call();
        try (NativeMemory text = DuckConnection.utf8(name);
                NativeMemory at = new NativeMemory(Long.BYTES)) {
            DuckLibrary.function("duckdb_table_function_set_name").call(table, text.address());
            for (String argument : source.arguments()) {
                try (NativeMemory named = DuckConnection.utf8(argument)) {
                    withType(DuckType.TEXT, type -> DuckLibrary.function(
                                    "duckdb_table_function_add_named_parameter")
                            .call(table, named.address(), type));
                }
            }
            DuckLibrary.function("duckdb_table_function_supports_projection_pushdown")
                    .call(table, 1);
            DuckLibrary.function("duckdb_table_function_set_bind").call(table, bind.address());
            DuckLibrary.function("duckdb_table_function_set_init").call(table, init.address());
            DuckLibrary.function("duckdb_table_function_set_function").call(table, fill.address());
            int state = (int)
                    DuckLibrary.function("duckdb_register_table_function").call(connection, table);
            at.bytes().putLong(0, table);
            DuckLibrary.function("duckdb_destroy_table_function").call(at.address());
            if (state != 0) {
                throw new DuckFault("the table " + name + " cannot be made");
            }
        }
    }

    /** Takes the address of a type of the library's, which is destroyed behind it. */
    private interface TypeUser {
        void use(long type);
    }

    private static void withType(DuckType kind, TypeUser user) {
        try (NativeMemory at = new NativeMemory(Long.BYTES)) {
            long type = DuckLibrary.function("duckdb_create_logical_type").call(kind.number());
            user.use(type);
            at.bytes().putLong(0, type);
            DuckLibrary.function("duckdb_destroy_logical_type").call(at.address());
        }
    }

    private void bind(long info) {
        try {
            for (TableSource.Column column : source.columns()) {
                try (NativeMemory name = DuckConnection.utf8(column.name())) {
                    withType(column.type(), type -> DuckLibrary.function(
                                    "duckdb_bind_add_result_column")
                            .call(info, name.address(), type));
                }
            }
            Map<String, String> arguments = new HashMap<>();
            for (String name : source.arguments()) {
                String value = argument(info, name);
                if (value != null) {
                    arguments.put(name, value);
                }
            }
            long number = numbers.incrementAndGet();
            given.put(number, arguments);
            DuckLibrary.function("duckdb_bind_set_bind_data").call(info, number, unbind.address());
        } catch (RuntimeException e) {
            fail("duckdb_bind_set_error", info, e);
        }
    }

    /** The value of an argument; null if the query does not give it. */
    private static String argument(long info, String name) {
        try (NativeMemory text = DuckConnection.utf8(name);
                NativeMemory at = new NativeMemory(Long.BYTES)) {
            long value = DuckLibrary.function("duckdb_bind_get_named_parameter")
                    .call(info, text.address());
            if (value == 0) {
                return null;
            }
            at.bytes().putLong(0, value);
            long chars = DuckLibrary.function("duckdb_get_varchar").call(value);
            String copy = NativeMemory.text(chars);
            DuckLibrary.function("duckdb_free").call(chars);
            DuckLibrary.function("duckdb_destroy_value").call(at.address());
            return copy;
        }
    }

    private void init(long info) {
        try {
            int count =
                    (int) DuckLibrary.function("duckdb_init_get_column_count").call(info);
            int[] asked = new int[count];
            for (int i = 0; i < count; i++) {
                asked[i] = (int)
                        DuckLibrary.function("duckdb_init_get_column_index").call(info, i);
            }
            long arguments = DuckLibrary.function("duckdb_init_get_bind_data").call(info);
            TableSource.Rows rows = source.open(asked, given.get(arguments));
            long number = numbers.incrementAndGet();
            open.put(number, rows);
            DuckLibrary.function("duckdb_init_set_max_threads").call(info, 1);
            DuckLibrary.function("duckdb_init_set_init_data").call(info, number, end.address());
        } catch (IllegalArgumentException e) {
            fail("duckdb_init_set_error", info, DuckFault.OF_ARGUMENT + e.getMessage());
        } catch (RuntimeException e) {
            fail("duckdb_init_set_error", info, e);
        }
    }

    private void fill(long info, long chunk) {
        try {
            DuckRows rows = new DuckRows(chunk);
            long number = DuckLibrary.function("duckdb_function_get_init_data").call(info);
            if (!open.get(number).next(rows)) {
                rows.size(0);
            }
        } catch (RuntimeException e) {
            fail("duckdb_function_set_error", info, e);
        }
    }

    private void unbind(long number) {
        given.remove(number);
    }

    private void end(long number) {
        open.remove(number).close();
    }

    private static void fail(String function, long info, RuntimeException error) {
        String text = error.getMessage() == null ? error.toString() : error.getMessage();
        fail(function, info, text);
    }

    private static void fail(String function, long info, String text) {
        try (NativeMemory memory = DuckConnection.utf8(text)) {
            DuckLibrary.function(function).call(info, memory.address());
        }
    }
}
