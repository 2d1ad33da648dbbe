package dev.madt.view.overview;

import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;

/**
 * Rows as JSON, the first ones first, until they have filled their room: so the page stays small
 * whatever the trace. {@code text} is {@code {"keys":[…],"rows":[[…],…],"more":N}} with the number
 * of rows that found no room.
 *
 * @param count how many rows found room
 */
record JsonRows(String text, int count) {
    /** Names are cut at so many characters; those of C++ can have thousands. */
    private static final int LONGEST_NAME = 300;

    /** Makes the cells of a row. */
    interface Cells {
        Object[] of(int row);
    }

    /**
     * Puts rows together.
     *
     * @param room bytes at most
     */
    static JsonRows of(List<String> keys, int rows, Cells cells, int room) {
        StringBuilder text =
                new StringBuilder("{\"keys\":").append(array(keys.toArray())).append(",\"rows\":[");
        long bytes = 0;
        int row = 0;
        while (row < rows) {
            String next = array(cells.of(row));
            bytes += next.getBytes(StandardCharsets.UTF_8).length + 2;
            if (bytes > room) {
                break;
            }
            text.append(row == 0 ? "\n" : ",\n").append(next);
            row++;
        }
        return new JsonRows(
                text.append("],\"more\":").append(rows - row).append('}').toString(), row);
    }

    /** A table of a report. */
    static JsonRows of(Table table, int room) {
        return of(table.keys(), table.rows().size(), row -> table.rows().get(row), room);
    }

    static String array(Object... values) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        for (Object value : values) {
            array.add(value(value));
        }
        return array.toString();
    }

    private static String value(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Number || value instanceof Table.Labelled) {
            return value.toString();
        }
        if (value instanceof Table.Time time) {
            return Long.toString(time.nanos());
        }
        return value instanceof Table.Share share
                ? Double.toString(share.part())
                : JsonText.quoted(shortened(value.toString()));
    }

    private static String shortened(String name) {
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        int end = Character.isHighSurrogate(name.charAt(LONGEST_NAME - 1))
                ? LONGEST_NAME - 1
                : LONGEST_NAME;
        return name.substring(0, end) + "…";
    }
}
