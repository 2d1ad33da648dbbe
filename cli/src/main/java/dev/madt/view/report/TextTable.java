package dev.madt.view.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a table as aligned text: numbers right, words left, histograms on lines of their own below their row. */
public final class TextTable {
    private static final String BOLD = "\033[1m";
    private static final String DIM = "\033[2m";
    private static final String HOT = "\033[31m";
    private static final String OFF = "\033[0m";
    /** Rows with at least this share are drawn in the colour of hot ones. */
    private static final double HOT_SHARE = 0.1;

    private final boolean colour;

    public TextTable(boolean colour) {
        this.colour = colour;
    }

    public String render(Table table) {
        List<Integer> columns = plainColumns(table);
        int[] widths = widths(table, columns);
        StringBuilder text = new StringBuilder();
        line(text, table.headings().toArray(), table, columns, widths, BOLD);
        for (Object[] row : table.rows()) {
            line(text, row, table, columns, widths, hot(row) ? HOT : null);
            histograms(text, table, row);
        }
        if (table.hidden() > 0) {
            text.append(paint(String.format(Locale.ROOT, "… %,d more", table.hidden()), DIM)).append('\n');
        }
        if (table.total() != null) {
            line(text, table.total(), table, columns, widths, BOLD);
        }
        return text.toString();
    }

    private static boolean hot(Object[] row) {
        return row[0] instanceof Table.Share share && share.part() >= HOT_SHARE;
    }

    private static List<Integer> plainColumns(Table table) {
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < table.headings().size(); i++) {
            int column = i;
            if (table.rows().stream().noneMatch(row -> row[column] instanceof Map)) {
                columns.add(i);
            }
        }
        return columns;
    }

    private static int[] widths(Table table, List<Integer> columns) {
        int[] widths = new int[table.headings().size()];
        for (int column : columns) {
            widths[column] = table.headings().get(column).length();
            for (Object[] row : table.rows()) {
                widths[column] = Math.max(widths[column], plain(row[column]).length());
            }
            if (table.total() != null) {
                widths[column] = Math.max(widths[column], plain(table.total()[column]).length());
            }
        }
        return widths;
    }

    private void line(StringBuilder text, Object[] cells, Table table, List<Integer> columns, int[] widths, String style) {
        StringBuilder line = new StringBuilder();
        for (int column : columns) {
            String cell = plain(cells[column]);
            String pad = " ".repeat(widths[column] - cell.length());
            line.append(line.isEmpty() ? "" : "  ").append(right(table, column) ? pad + cell : cell + pad);
        }
        text.append(paint(line.toString().stripTrailing(), style)).append('\n');
    }

    private static boolean right(Table table, int column) {
        return table.rows().stream().anyMatch(row -> row[column] instanceof Number || row[column] instanceof Table.Share);
    }

    private void histograms(StringBuilder text, Table table, Object[] row) {
        for (int i = 0; i < row.length; i++) {
            if (row[i] instanceof Map) {
                StringBuilder line = new StringBuilder("        ").append(table.headings().get(i)).append(':');
                Table.histogram(row[i]).forEach((key, count) ->
                        line.append(' ').append(key).append(" × ").append(String.format(Locale.ROOT, "%,d", count)).append(','));
                text.append(paint(line.substring(0, line.length() - 1), DIM)).append('\n');
            }
        }
    }

    private String paint(String text, String style) {
        return colour && style != null ? style + text + OFF : text;
    }

    private static String plain(Object cell) {
        if (cell instanceof Long number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
        return cell instanceof Table.Share share
                ? String.format(Locale.ROOT, "%.1f %%", 100 * share.part())
                : cell == null ? "" : cell.toString();
    }
}
