package dev.madt.view.report;

import dev.madt.console.Failure;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * In which order the rows of a report stand.
 *
 * @param column the heading of the column that is compared
 * @param ascending whether the least comes first
 */
public record RowOrder(String column, boolean ascending) {
    private static final String ASCENDING = ":asc";
    private static final String DESCENDING = ":desc";

    /**
     * @param text a column of a report by these keys, as headings or keys of CSV have it, with
     *     {@code :asc} or {@code :desc}
     * @throws Failure if there is no such column
     */
    public static RowOrder of(String text, List<ReportKey> keys) throws Failure {
        return ofColumns(text, ReportTable.columns(keys));
    }

    /** As above, of a table with these columns. */
    static RowOrder ofColumns(String text, List<String> columns) throws Failure {
        boolean ascending = text.endsWith(ASCENDING);
        String asked = ascending
                ? text.substring(0, text.length() - ASCENDING.length())
                : text.endsWith(DESCENDING)
                        ? text.substring(0, text.length() - DESCENDING.length())
                        : text;
        return new RowOrder(Columns.of("sort", asked, columns), ascending);
    }

    /**
     * The table with its rows in this order; rows without a value come last.
     *
     * @param top rows at most; 0: all
     */
    Table of(Table table, int top) {
        int at = table.headings().indexOf(column);
        List<Object[]> rows = new ArrayList<>(table.rows());
        if (at >= 0) {
            Comparator<Object> values = ascending ? RowOrder::compare : (a, b) -> compare(b, a);
            rows.sort((a, b) -> a[at] == null || b[at] == null
                    ? Boolean.compare(a[at] == null, b[at] == null)
                    : values.compare(a[at], b[at]));
        }
        List<Object[]> shown = top > 0 && top < rows.size() ? rows.subList(0, top) : rows;
        return table.with(shown).hidden(rows.size() - shown.size()).keeping(column);
    }

    private static int compare(Object a, Object b) {
        if (a instanceof Long number) {
            return Long.compare(number, (Long) b);
        }
        if (a instanceof Table.Time time) {
            return Long.compare(time.nanos(), ((Table.Time) b).nanos());
        }
        if (a instanceof Table.Labelled labelled) {
            return Long.compare(labelled.number(), ((Table.Labelled) b).number());
        }
        return a instanceof Table.Share share
                ? Double.compare(share.part(), ((Table.Share) b).part())
                : a.toString().compareTo(b.toString());
    }
}
