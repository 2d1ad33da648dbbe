package dev.madt.sql;

import dev.madt.duckdb.DuckConnection;
import dev.madt.duckdb.DuckFault;
import dev.madt.duckdb.DuckResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Gives the table of accesses the conditions of a query as arguments, by which they reach the
 * reader: DuckDB's C interface does not tell a table of them. The query keeps its conditions, so
 * that an argument may select more than they do, but never less.
 */
final class Pushdown {
    private static final String TABLE = "accesses";

    /**
     * A row for each condition of a query that is about the table of accesses alone, in the place
     * of which nothing else has been put: where the table's name stands, the comparison, the
     * column, and the constants.
     */
    private static final String CONDITIONS =
            """
            with parsed as (select json_serialize_sql(%1$s)::json -> '$.statements[*].node' nodes),
            one as (select nodes[1] node, nodes[1] -> '$.from_table' source,
                nodes[1] -> '$.where_clause' clause from parsed where len(nodes) = 1),
            part as (select source, unnest(case when clause ->> '$.type' = 'CONJUNCTION_AND'
                then clause -> '$.children[*]' else [clause] end) condition
                from one
                where node ->> '$.type' = 'SELECT_NODE' and source ->> '$.type' = 'BASE_TABLE'
                and lower(source ->> '$.table_name') = '%2$s' and source ->> '$.schema_name' = ''
                and source ->> '$.sample' is null
                and json_array_length(source -> '$.column_name_alias') = 0
                and json_array_length(node -> '$.cte_map.map') = 0
                and clause ->> '$.class' is not null
                and (select list(sql) from (select sql from duckdb_views() where view_name = '%2$s'
                    union all select sql from duckdb_tables() where table_name = '%2$s'))
                    = ['CREATE VIEW %2$s AS SELECT * FROM %2$s();'])
            select (source ->> '$.query_location')::bigint, condition ->> '$.type',
                lower(coalesce(condition ->> '$.left.column_names[#-1]',
                    condition ->> '$.input.column_names[#-1]')),
                coalesce(condition ->> '$.right.literal.text',
                    condition ->> '$.lower.literal.text'),
                condition ->> '$.upper.literal.text'
            from part
            """;

    /**
     * Columns whose texts select by the argument of the same name. Files are none: as an argument,
     * the name of one means what views call it, which is less than its path.
     */
    private static final Collection<String> NAMES = List.of("function", "region");

    private final Map<String, String> arguments = new TreeMap<>();
    private long first;
    private long last = Long.MAX_VALUE;
    private int at;
    private final Consumer<String> hints;

    private Pushdown(Consumer<String> hints) {
        this.hints = hints;
    }

    /**
     * Returns the query with arguments, or as it is.
     *
     * @param hints is told what a condition can never find
     */
    static String into(DuckConnection connection, String query, Consumer<String> hints)
            throws DuckFault {
        String lower = query.toLowerCase(Locale.ROOT);
        if (!lower.contains(TABLE)
                || !lower.contains("where")
                || query.chars().anyMatch(c -> c >= Byte.MAX_VALUE)) { // places count bytes
            return query;
        }
        Pushdown pushdown = new Pushdown(hints);
        String text = "'" + query.replace("'", "''") + "'";
        try (DuckResult result = connection.query(CONDITIONS.formatted(text, TABLE))) {
            result.rows(pushdown::add);
        }
        return pushdown.in(query);
    }

    private void add(Object[] row) {
        at = (int) (long) row[0];
        String comparison = (String) row[1];
        String column = (String) row[2];
        String value = (String) row[3];
        if (column == null || value == null) {
            return;
        }
        boolean equal = comparison.equals("COMPARE_EQUAL");
        if (column.equals("number")) {
            number(comparison, value);
            if (row[4] != null) {
                number("COMPARE_LESSTHANOREQUALTO", (String) row[4]);
            }
        } else if (equal && column.equals("kind")) {
            kind(value);
        } else if (equal && NAMES.contains(column) && !value.isEmpty()) {
            arguments.put(column, value);
        }
    }

    private void kind(String value) {
        String argument = AccessArguments.kind(value);
        if (argument != null) {
            arguments.put("kind", argument);
        } else {
            hints.accept("the column kind of accesses is 'L' for loads and 'S' for stores, never '"
                    + value + "'.");
        }
    }

    private void number(String comparison, String text) {
        if (!text.matches("\\d{1,18}")) {
            return;
        }
        long value = Long.parseLong(text);
        switch (comparison) {
            case "COMPARE_EQUAL" -> {
                first = Math.max(first, value);
                last = Math.min(last, value);
            }
            case "COMPARE_GREATERTHAN", "COMPARE_GREATERTHANOREQUALTO", "COMPARE_BETWEEN" ->
                first = Math.max(first, value);
            case "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO" -> last = Math.min(last, value);
            default -> {}
        }
    }

    private String in(String query) {
        if (first <= last) {
            AccessArguments.addRange(arguments, first, last);
        }
        int end = at + TABLE.length();
        if (arguments.isEmpty() || !query.regionMatches(true, at, TABLE, 0, TABLE.length())) {
            return query;
        }
        List<String> given = new ArrayList<>();
        arguments.forEach(
                (name, value) -> given.add(name + " := '" + value.replace("'", "''") + "'"));
        return query.substring(0, end) + "(" + String.join(", ", given) + ")"
                + query.substring(end);
    }
}
