package dev.madt.view.report;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Writes tables as one JSON object: the table's name, then an array of objects whose keys are the headings. */
public final class JsonTable {
    private JsonTable() {}

    public static String render(Table... tables) {
        StringJoiner members = new StringJoiner(",\n", "{\n", "\n}\n");
        for (Table table : tables) {
            StringJoiner rows = new StringJoiner(",\n  ", "[\n  ", "\n]").setEmptyValue("[]");
            table.rows().forEach(row -> rows.add(object(table, row)));
            members.add(JsonText.quoted(table.name()) + ": " + rows);
            if (table.total() != null) {
                members.add("\"total\": " + object(table, table.total()));
            }
        }
        return members.toString();
    }

    private static String object(Table table, Object[] cells) {
        StringJoiner object = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < cells.length; i++) {
            if (cells[i] != null) {
                object.add(JsonText.quoted(table.headings().get(i)) + ": " + value(cells[i]));
            }
        }
        return object.toString();
    }

    private static String value(Object cell) {
        if (cell instanceof Map) {
            StringJoiner object = new StringJoiner(", ", "{", "}");
            Table.histogram(cell).forEach((key, count) -> object.add(JsonText.quoted(key) + ": " + count));
            return object.toString();
        }
        return cell instanceof Table.Share share
                ? String.format(Locale.ROOT, "%.6f", share.part())
                : cell instanceof Long ? cell.toString() : JsonText.quoted(cell.toString());
    }
}
