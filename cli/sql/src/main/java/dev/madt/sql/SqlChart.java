package dev.madt.sql;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartAxis;
import dev.madt.view.toolkit.ChartPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Draws the rows of a query: of bars and lines the first column says where, the second how much,
 * and a third one of which series; of a heat map, the first two where, and the third how much.
 *
 * @param html whether it is a page; else an SVG
 */
public record SqlChart(Chart.Kind kind, boolean html) {
    /** More marks than this are no picture, and would take a browser's memory. */
    private static final int MOST_ROWS = 100_000;

    private static final int MOST_NAMES = 60;
    private static final int MOST_SERIES = 12;

    /** Returns the words of {@code --chart}. */
    public static List<String> words() {
        return Stream.of(Chart.Kind.values())
                .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns what is drawn for a word. */
    public static SqlChart of(String word, boolean html) {
        return new SqlChart(Chart.Kind.valueOf(word.toUpperCase(Locale.ROOT)), html);
    }

    /** Takes one more row. */
    static void add(List<Object[]> rows, Object[] row) {
        if (rows.size() == MOST_ROWS) {
            throw new IllegalStateException("a chart takes up to " + MOST_ROWS
                    + " rows: group them, or take some with limit");
        }
        rows.add(row);
    }

    /** Returns the picture of the rows of a query. */
    String draw(String query, List<String> names, List<Object[]> rows) throws Failure, IOException {
        int columns = names.size();
        boolean heat = kind == Chart.Kind.HEAT;
        if (columns != 3 && (heat || columns != 2)) {
            throw new Failure(
                    Status.USAGE,
                    "--chart " + kind.name().toLowerCase(Locale.ROOT) + " draws "
                            + (heat ? "three columns" : "two or three columns")
                            + ", and the query has " + columns + ".");
        }
        String title = query.strip().replaceAll("\\s+", " ");
        Places x = new Places(rows, 0, names);
        Places y = heat ? new Places(rows, 1, names) : null;
        Chart chart =
                new Chart(kind, title, x.axis(), heat ? y.axis() : ChartAxis.numbers(names.get(1)));
        List<String> series = new ArrayList<>();
        for (Object[] row : rows) {
            if (row[0] == null || row[1] == null || heat && row[2] == null) {
                continue;
            }
            if (heat) {
                chart.cell(x.of(row[0]), y.of(row[1]), number(row[2], names.get(2)));
            } else {
                String of = columns == 3 ? String.valueOf(row[2]) : names.get(1);
                check(series, of);
                chart.point(of, x.of(row[0]), number(row[1], names.get(1)));
            }
        }
        return html ? ChartPage.of(chart) : chart.svg();
    }

    private static void check(List<String> series, String name) throws Failure {
        if (!series.contains(name)) {
            series.add(name);
        }
        if (series.size() > MOST_SERIES) {
            throw new Failure(
                    Status.USAGE, "a chart has up to " + MOST_SERIES + " series (third column).");
        }
    }

    private static double number(Object value, String column) throws Failure {
        Double number = asNumber(value);
        if (number == null) {
            throw new Failure(
                    Status.USAGE, "column " + column + " is to be a number, not '" + value + "'.");
        }
        return number;
    }

    /** A number, also one that DuckDB had to write as a text; null if it is none. */
    private static Double asNumber(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value instanceof String text && text.matches("-?\\d{1,30}(\\.\\d{1,30})?")
                ? Double.valueOf(text)
                : null;
    }

    /** Says where the values of a column lie: numbers by themselves, names in their order. */
    private static final class Places {
        private final String title;
        private final Map<String, Integer> names = new LinkedHashMap<>();

        Places(List<Object[]> rows, int column, List<String> titles) throws Failure {
            title = titles.get(column);
            if (rows.stream()
                    .allMatch(row -> row[column] == null || asNumber(row[column]) != null)) {
                return;
            }
            for (Object[] row : rows) {
                if (row[column] != null) {
                    names.putIfAbsent(row[column].toString(), names.size());
                }
            }
            if (names.size() > MOST_NAMES) {
                throw new Failure(
                        Status.USAGE,
                        "a chart has room for " + MOST_NAMES + " names, and column " + title
                                + " has " + names.size() + ": take some with limit.");
            }
        }

        ChartAxis axis() {
            return names.isEmpty()
                    ? ChartAxis.numbers(title)
                    : ChartAxis.named(title, List.copyOf(names.keySet()));
        }

        double of(Object value) {
            return names.isEmpty() ? asNumber(value) : names.get(value.toString());
        }
    }
}
