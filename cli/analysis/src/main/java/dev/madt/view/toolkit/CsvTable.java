package dev.madt.view.toolkit;

import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Writes a table as CSV (RFC 4180, lines ended by a line feed): a line of keys, then the rows,
 * without the total.
 */
public final class CsvTable {
    private static final Pattern FORMULA =
            Pattern.compile("\\A(?![-+]\\d+(\\.\\d+)?\\z)[-=+@\\t\\r]");

    private CsvTable() {}

    public static String render(Table table) {
        StringBuilder text = new StringBuilder();
        line(text, table.keys().toArray());
        table.allRows().forEach(row -> line(text, row));
        return text.toString();
    }

    private static void line(StringBuilder text, Object[] cells) {
        StringJoiner line = new StringJoiner(",");
        for (Object cell : cells) {
            line.add(
                    cell instanceof String
                                    || cell instanceof Table.Chain
                                    || cell instanceof Table.Below
                            ? field(cell.toString())
                            : quoted(plain(cell)));
        }
        text.append(line).append('\n');
    }

    private static String plain(Object cell) {
        if (cell instanceof Map) {
            StringJoiner counts = new StringJoiner(" ");
            Table.histogram(cell).forEach((key, count) -> counts.add(key + ":" + count));
            return counts.toString();
        }
        if (cell instanceof Table.Time time) {
            return Long.toString(time.nanos());
        }
        return cell instanceof Table.Share share
                ? share.plain()
                : cell == null ? "" : cell.toString();
    }

    /**
     * A field, in quotes where a comma, quote or line break makes it necessary. Names come from the
     * program: one that a spreadsheet would take for a formula, and that is no number, has a single
     * quote in front (OWASP, CSV injection).
     */
    public static String field(String text) {
        return quoted(FORMULA.matcher(text).find() ? "'" + text : text);
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
