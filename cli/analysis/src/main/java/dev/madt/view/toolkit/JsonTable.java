package dev.madt.view.toolkit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Writes tables as one JSON object: the traces that they are about, the units of what is counted,
 * then for each table its name and an array of objects by the keys of its columns.
 */
public final class JsonTable {
    private static final Map<String, String> UNITS = Map.of(
            "bytes",
            "bytes",
            "bulk_bytes",
            "bytes",
            "allocated",
            "bytes",
            "never_accessed",
            "bytes",
            "mean_life",
            "accesses",
            "longest_life",
            "accesses",
            "lines",
            "64 bytes",
            "pages",
            "4096 bytes");

    private JsonTable() {}

    /** @param traces what the traces are called, in their order */
    public static String render(List<String> traces, Table... tables) {
        StringJoiner members = new StringJoiner(",\n", "{\n", "\n}\n");
        members.add("\"traces\": " + JsonText.array(traces, ", "));
        StringJoiner units = new StringJoiner(", ", "{", "}");
        Arrays.stream(tables)
                .flatMap(table -> table.keys().stream())
                .filter(UNITS::containsKey)
                .distinct()
                .forEach(key ->
                        units.add(JsonText.quoted(key) + ": " + JsonText.quoted(UNITS.get(key))));
        members.add("\"units\": " + units);
        for (Table table : tables) {
            List<String> keys = table.keys();
            StringJoiner rows = new StringJoiner(",\n  ", "[\n  ", "\n]").setEmptyValue("[]");
            table.allRows().forEach(row -> rows.add(object(keys, row)));
            members.add(JsonText.quoted(table.name()) + ": " + rows);
            if (table.total() != null) {
                members.add("\"total\": " + object(keys, table.total()));
            }
        }
        return members.toString();
    }

    private static String object(List<String> keys, Object[] cells) {
        StringJoiner object = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < cells.length; i++) {
            if (cells[i] != null) {
                object.add(JsonText.quoted(keys.get(i)) + ": " + value(cells[i]));
            }
        }
        return object.toString();
    }

    private static String value(Object cell) {
        if (cell instanceof Map) {
            StringJoiner object = new StringJoiner(", ", "{", "}");
            Table.histogram(cell)
                    .forEach((key, count) -> object.add(JsonText.quoted(key) + ": " + count));
            return object.toString();
        }
        if (cell instanceof Table.Chain chain) {
            return JsonText.array(chain.calls(), ", ");
        }
        if (cell instanceof Table.Time time) {
            return Long.toString(time.nanos());
        }
        return cell instanceof Table.Share share
                ? share.plain()
                : cell instanceof Number || cell instanceof Table.Labelled
                        ? cell.toString()
                        : JsonText.quoted(cell.toString());
    }
}
