package dev.madt.sql;

import dev.madt.duckdb.DuckResult;
import dev.madt.duckdb.DuckType;
import dev.madt.view.toolkit.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** Makes a table of the rows of a query: addresses in hexadecimal, numbers as queries have them. */
public final class ResultTable {
    /** Columns whose numbers are names: nobody counts by them. */
    private static final Set<String> NAMING =
            Set.of("line", "parent", "process", "thread", "window");

    private static final double EXACT = 1e15;

    private ResultTable() {}

    /** Gives tables of so many rows at most, the last of fewer; one where there are no rows. */
    static void each(DuckResult result, int most, Consumer<Table> to) {
        List<String> names = result.names();
        List<DuckType> types = result.types();
        List<Object[]> rows = new ArrayList<>();
        result.rows(row -> {
            if (rows.size() == most) {
                to.accept(of(names, types, rows));
                rows.clear();
            }
            rows.add(row);
        });
        to.accept(of(names, types, rows));
    }

    /** Returns the table of rows of another engine, in which each Long is a BIGINT. */
    public static Table of(List<String> names, List<Object[]> rows) {
        return of(names, Collections.nCopies(names.size(), DuckType.BIGINT), rows);
    }

    private static Table of(List<String> names, List<DuckType> types, List<Object[]> rows) {
        Table table = new Table("rows", names).asked();
        for (Object[] row : rows) {
            Object[] cells = new Object[row.length];
            for (int i = 0; i < row.length; i++) {
                cells[i] = cell(names.get(i), types.get(i), row[i]);
            }
            table.row(cells);
        }
        return table;
    }

    private static Object cell(String name, DuckType type, Object value) {
        if (value instanceof Long number) {
            return isAddress(name) && type == DuckType.BIGINT
                    ? "0x" + Long.toHexString(number)
                    : NAMING.contains(name) ? number.toString() : value;
        }
        if (value instanceof Double number) {
            return decimal(number);
        }
        return value == null || value instanceof String
                ? value
                : value instanceof BigInteger huge ? huge.toString() : String.valueOf(value);
    }

    private static boolean isAddress(String name) {
        return name.equals("address") || name.endsWith("_address");
    }

    /** A number with a fraction: three digits of it, more only where the number is small. */
    private static String decimal(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number) || Math.abs(number) >= EXACT) {
            return Double.toString(number);
        }
        return number == 0 || Math.abs(number) >= 1
                ? String.format(Locale.ROOT, "%,.3f", number)
                : String.format(Locale.ROOT, "%.6g", number);
    }
}
