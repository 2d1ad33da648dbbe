package dev.madt.view.toolkit;

import dev.madt.console.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a table as aligned text: numbers right, words left, histograms and chains of calls on
 * lines of their own below their row. Where the lines would be too long, words are shortened in the
 * middle; numbers never are.
 */
public final class TextTable {
    /** The width that stands for any: all columns, at full length. */
    public static final int WIDE = 0;

    private static final String BOLD = "\033[1m";
    private static final String DIM = "\033[2m";
    private static final String HOT = "\033[31m";
    private static final String OFF = "\033[0m";
    private static final String BETWEEN = "  ";
    private static final String UNKNOWN = "–";
    /** The heading of types, which libraries make hundreds of letters long. */
    private static final String TYPE = "type";

    private static final int WIDEST_TYPE = 100;
    private static final String CUT = "…";
    private static final String BETWEEN_COUNTS = ", ";
    /** Rows with at least this share are drawn in the colour of hot ones. */
    private static final double HOT_SHARE = 0.1;
    /** No word is made shorter than that. */
    private static final int SHORTEST = 12;
    /** Columns that can be spared leave where the names of rows would be shorter than that. */
    private static final int READABLE = 40;
    /** Lines shorter than that have no room for all columns, either. */
    private static final int NARROW = 60;
    /** The last ones of these leave where the names would be shorter than that. */
    private static final int LEGIBLE = 24;
    /** Say how the names of rows, regions and other words share the room that there is. */
    private static final int NAMES = 10;

    private static final int REGIONS = 3;
    private static final int OTHERS = 6;
    /** The heading of regions, which tell little beside a name. */
    private static final String REGION = "region";

    private static final String BAR = "\033[36m";
    /** Bars have this part of a line, within bounds. */
    private static final int BAR_PART = 8;

    private static final int LEAST_BAR = 8;
    private static final int MOST_BAR = 20;

    private final boolean colour;
    private final int width;
    /** Says whether headings of numbers are written in two lines, of the table at hand. */
    private boolean halved;
    /** Characters of a bar; 0: there are none. */
    private int bars;

    /** Says whether the table at hand is one that was asked for as it is. */
    private boolean asked;

    private boolean blocks;
    private double longest;
    /** The column that bars stand beside; negative: none. */
    private int barColumn;
    /** Says how the words of each column fit, of the table at hand. */
    private final Map<Integer, CutNames> cut = new HashMap<>();

    /** @param width characters in the longest line, or {@link #WIDE} */
    public TextTable(boolean colour, int width) {
        this.colour = colour;
        this.width = width;
    }

    /**
     * Draws a bar beside each share, the longest one for the largest share, unless words need
     * the room.
     *
     * @param hasBlocks whether the terminal has blocks of eighths
     */
    public TextTable bars(boolean hasBlocks) {
        blocks = hasBlocks;
        bars = width == WIDE ? MOST_BAR : Math.min(MOST_BAR, Math.max(LEAST_BAR, width / BAR_PART));
        return this;
    }

    public String render(Table table) {
        asked = table.isAsked();
        int share = shareColumn(table);
        barColumn = bars > 0 ? share : -1;
        longest = table.rows().stream()
                .flatMap(row -> Stream.of(row))
                .filter(Table.Share.class::isInstance)
                .mapToDouble(cell -> ((Table.Share) cell).part())
                .max()
                .orElse(0);
        boolean[] right = right(table);
        halved = false;
        List<Integer> all = plainColumns(table);
        halved = width != WIDE
                && overlong(all, fullWidths(table, all, right), all.contains(share)) > 0;
        List<Integer> columns = shownColumns(table, right);
        if (barColumn >= 0 && isNarrow(table, columns, right)) {
            return withoutBars().render(table);
        }
        int[] widths = widths(table, columns, right);
        cut.clear();
        for (int column : columns) {
            cut.put(column, new CutNames(words(table, column), widths[column]));
        }
        StringBuilder text = new StringBuilder();
        headings(text, table, columns, widths, right);
        for (Object[] row : table.rows()) {
            line(text, row, columns, widths, right, hot(row, share) ? HOT : null, UNKNOWN);
            below(text, table, row);
        }
        if (table.hidden() > 0) {
            text.append(paint("… " + Numbers.grouped(table.hidden()) + " more", DIM))
                    .append('\n');
        }
        if (table.rest() != null) {
            line(text, table.rest(), columns, widths, right, DIM, "");
        }
        if (table.total() != null) {
            line(text, table.total(), columns, widths, right, BOLD, "");
        }
        return text.toString();
    }

    /** Writes the headings: in two lines, one of which is empty for most, or in one. */
    private void headings(
            StringBuilder text, Table table, List<Integer> columns, int[] widths, boolean[] right) {
        String[] upper = new String[widths.length];
        String[] lower = new String[widths.length];
        boolean any = false;
        for (int column : columns) {
            String heading = table.headings().get(column);
            int half = heading.length() > widths[column] ? half(heading) : 0;
            upper[column] = heading.substring(0, half).strip();
            lower[column] = heading.substring(half).strip();
            any |= half > 0;
        }
        if (any) {
            line(text, upper, columns, widths, right, BOLD, "");
        }
        line(text, lower, columns, widths, right, BOLD, "");
    }

    /** Returns where the second line of a heading begins that is written in two; 0: in one. */
    private static int half(String heading) {
        int best = 0;
        for (int space = heading.indexOf(' '); space > 0; space = heading.indexOf(' ', space + 1)) {
            boolean better = Math.max(space, heading.length() - space - 1)
                    < Math.max(best, heading.length() - best);
            best = better ? space : best;
        }
        return best;
    }

    /** The room that a heading needs. */
    private int widthOf(String heading, boolean right) {
        int half = halved && right ? half(heading) : 0;
        return half > 0 ? Math.max(half, heading.length() - half - 1) : heading.length();
    }

    private static List<String> words(Table table, int column) {
        return Stream.concat(table.allRows().stream(), Stream.ofNullable(table.total()))
                .map(row -> plain(row[column]))
                .toList();
    }

    private static int shareColumn(Table table) {
        return table.headings().indexOf("share");
    }

    private static boolean hot(Object[] row, int column) {
        return column >= 0 && row[column] instanceof Table.Share share && share.part() >= HOT_SHARE;
    }

    /** All columns, but for those that the names of rows need the room of. */
    private List<Integer> shownColumns(Table table, boolean[] right) {
        List<Integer> columns = plainColumns(table);
        int names =
                columns.stream().filter(column -> !right[column]).findFirst().orElse(-1);
        if (width == WIDE || names < 0) {
            return columns;
        }
        int full = fullWidths(table, columns, right)[names];
        spare(table, table.spare(), columns, right, Math.min(READABLE, full));
        spare(table, table.lastSpare(), columns, right, Math.min(LEGIBLE, full));
        if (width < NARROW && !table.isChosen()) {
            spareLast(table, columns, right, names);
        }
        return columns;
    }

    /**
     * Takes columns away until the lines fit: first words that tell no rows apart, then those on
     * the right, but never the names of the rows and the first number.
     */
    private void spareLast(Table table, List<Integer> columns, boolean[] right, int names) {
        int first = columns.stream().filter(column -> right[column]).findFirst().orElse(-1);
        while (overlong(columns, widths(table, columns, right), false) > 0) {
            List<Integer> others = columns.stream()
                    .filter(column -> column != names && column != first)
                    .sorted(Comparator.reverseOrder())
                    .toList();
            if (others.isEmpty()) {
                return;
            }
            int gone = others.stream()
                    .filter(column -> !right[column] && !tellsApart(table, columns, right, column))
                    .findFirst()
                    .orElse(others.get(0));
            columns.removeIf(column -> table.goTogether(gone, column));
        }
    }

    private TextTable withoutBars() {
        return new TextTable(colour, width);
    }

    /** Returns whether words would have to be cut. */
    private boolean isNarrow(Table table, List<Integer> columns, boolean[] right) {
        int[] full = fullWidths(table, columns, right);
        int[] widths = widths(table, columns, right);
        return columns.stream().anyMatch(column -> !right[column] && widths[column] < full[column]);
    }

    /** Takes columns away until the first one of words has room enough. */
    private void spare(
            Table table, List<String> spare, List<Integer> columns, boolean[] right, int enough) {
        int names =
                columns.stream().filter(column -> !right[column]).findFirst().orElse(-1);
        for (String heading : spare) {
            int[] widths = widths(table, columns, right);
            boolean shares = columns.contains(shareColumn(table));
            if (widths[names] >= enough && overlong(columns, widths, shares) <= 0) {
                break;
            }
            int column = table.headings().indexOf(heading);
            if (right[column] || !tellsApart(table, columns, right, column)) {
                columns.removeIf(other -> table.goTogether(column, other));
            }
        }
    }

    /** Returns whether some rows would look the same without a column of words. */
    private static boolean tellsApart(
            Table table, List<Integer> columns, boolean[] right, int column) {
        List<Integer> words = columns.stream().filter(each -> !right[each]).toList();
        List<Integer> others = words.stream().filter(each -> each != column).toList();
        return different(table, others) < different(table, words);
    }

    private static long different(Table table, List<Integer> columns) {
        return table.rows().stream()
                .map(row -> columns.stream().map(column -> plain(row[column])).toList())
                .distinct()
                .count();
    }

    private List<Integer> plainColumns(Table table) {
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < table.headings().size(); i++) {
            int column = i;
            boolean shown = width == WIDE
                    || !table.extra().contains(table.headings().get(i)) && !isEmpty(table, i)
                    || table.isAsked();
            if (shown && table.rows().stream().noneMatch(row -> isBelow(row[column]))) {
                columns.add(i);
            }
        }
        return columns;
    }

    /** Returns whether there are rows, and none that is shown has anything there. */
    private static boolean isEmpty(Table table, int column) {
        return !table.allRows().isEmpty()
                && Stream.concat(table.allRows().stream(), Stream.ofNullable(table.total()))
                        .allMatch(row -> row[column] == null || row[column].equals(""));
    }

    private int[] fullWidths(Table table, List<Integer> columns, boolean[] right) {
        int[] widths = new int[table.headings().size()];
        for (int column : columns) {
            widths[column] = widthOf(table.headings().get(column), right[column]);
            Stream.concat(table.allRows().stream(), Stream.ofNullable(table.total()))
                    .forEach(row -> widths[column] =
                            Math.max(widths[column], plain(row[column]).length()));
        }
        return widths;
    }

    private int[] widths(Table table, List<Integer> columns, boolean[] right) {
        int[] widths = fullWidths(table, columns, right);
        int types = table.headings().indexOf(TYPE);
        if (width == WIDE && types >= 0 && !asked) {
            widths[types] = Math.min(widths[types], WIDEST_TYPE);
        }
        return width == WIDE
                ? widths
                : fit(
                        table,
                        columns.stream().filter(column -> !right[column]).toList(),
                        widths,
                        overlong(columns, widths, columns.contains(shareColumn(table))));
    }

    /**
     * Takes room from the widest column of words until the lines fit; the first one, which holds
     * the names of the rows, may be wider than others, and regions are narrower.
     */
    private static int[] fit(Table table, List<Integer> words, int[] widths, int overlong) {
        for (int left = overlong; left > 0; left--) {
            int widest = -1;
            double most = 0;
            for (int column : words) {
                double wide = (double) widths[column] / weight(table, words, column);
                if (wide > most
                        && widths[column]
                                > Math.max(
                                        SHORTEST, table.headings().get(column).length())) {
                    widest = column;
                    most = wide;
                }
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static int weight(Table table, List<Integer> words, int column) {
        if (column == words.get(0)) {
            return NAMES;
        }
        return table.headings().get(column).equals(REGION) ? REGIONS : OTHERS;
    }

    private int overlong(List<Integer> columns, int[] widths, boolean shares) {
        return columns.stream()
                        .mapToInt(column -> widths[column] + BETWEEN.length())
                        .sum()
                + (shares && bars > 0 ? bars + 1 : 0)
                - BETWEEN.length()
                - width;
    }

    private void line(
            StringBuilder text,
            Object[] cells,
            List<Integer> columns,
            int[] widths,
            boolean[] right,
            String style,
            String unknown) {
        StringBuilder line = new StringBuilder();
        for (int column : columns) {
            String cell = (right[column] || asked) && cells[column] == null
                    ? unknown
                    : cut.get(column).of(plain(cells[column]));
            String pad = " ".repeat(widths[column] - cell.length());
            line.append(line.isEmpty() ? "" : BETWEEN)
                    .append(right[column] ? pad + cell : cell + pad)
                    .append(column == barColumn ? bar(cells[column], unknown, style) : "");
        }
        text.append(paint(line.toString().stripTrailing(), style)).append('\n');
    }

    /** The bar of a row; lines that are none have room for one. */
    private String bar(Object cell, String unknown, String style) {
        if (unknown.isEmpty() || !(cell instanceof Table.Share share) || longest == 0) {
            return " ".repeat(bars + 1);
        }
        String bar = paint(Bar.of(share.part() / longest, bars, blocks), BAR);
        return " " + (colour && style != null ? bar + style : bar);
    }

    /** The text with so many characters at most: its beginning and its end. */
    public static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return ends(text, most / 2, most - CUT.length() - most / 2);
    }

    /** So many characters of a longer text from its beginning and from its end. */
    static String ends(String text, int front, int back) {
        int head = front;
        int tail = text.length() - back;
        head -= head > 0 && Character.isHighSurrogate(text.charAt(head - 1)) ? 1 : 0;
        tail += tail < text.length() && Character.isLowSurrogate(text.charAt(tail)) ? 1 : 0;
        return text.substring(0, head) + CUT + text.substring(tail);
    }

    /** Returns which columns hold numbers. */
    private static boolean[] right(Table table) {
        boolean[] right = new boolean[table.headings().size()];
        Stream.concat(table.allRows().stream(), Stream.ofNullable(table.total()))
                .forEach(row -> {
                    for (int i = 0; i < row.length; i++) {
                        right[i] |= row[i] instanceof Number
                                || row[i] instanceof Table.Share
                                || row[i] instanceof Table.Time;
                    }
                });
        return right;
    }

    /** Returns whether a cell has a line of its own below its row. */
    private static boolean isBelow(Object cell) {
        return cell instanceof Map || cell instanceof Table.Chain || cell instanceof Table.Below;
    }

    private void below(StringBuilder text, Table table, Object[] row) {
        for (int i = 0; i < row.length; i++) {
            if (isBelow(row[i])) {
                text.append(paint(below("        " + table.headings().get(i) + ": ", row[i]), DIM))
                        .append('\n');
            }
        }
    }

    private String below(String begin, Object cell) {
        if (cell instanceof Table.Chain calls) {
            String line = begin + calls;
            return calls.whole() ? wrapped(line) : cut(line, Table.Chain.CALLER);
        }
        return cell instanceof Table.Below below
                ? begin + below
                : cut(begin + counts(Table.histogram(cell)), BETWEEN_COUNTS);
    }

    private static String counts(Map<String, Long> histogram) {
        return histogram.entrySet().stream()
                .map(one -> one.getKey() + " × " + Numbers.grouped(one.getValue()))
                .collect(Collectors.joining(BETWEEN_COUNTS));
    }

    /** Returns a chain in as many lines as it takes: each but the first begins with a caller. */
    private String wrapped(String line) {
        StringBuilder lines = new StringBuilder();
        int begin = 0;
        for (String call : line.split("(?=" + Table.Chain.CALLER + ")")) {
            if (width != WIDE
                    && lines.length() > 0
                    && lines.length() - begin + call.length() > width) {
                lines.append('\n');
                begin = lines.length();
                lines.append("          ").append(call.strip());
            } else {
                lines.append(call);
            }
        }
        return lines.toString();
    }

    /** Returns as many parts as the line has room for. */
    private String cut(String line, String between) {
        if (width == WIDE || line.length() <= width) {
            return line;
        }
        int last = line.lastIndexOf(between, width - CUT.length() - between.length());
        return last < 0 ? line : line.substring(0, last + between.length()) + CUT;
    }

    private String paint(String text, String style) {
        return colour && style != null ? style + text + OFF : text;
    }

    private static String plain(Object cell) {
        if (cell instanceof Long number) {
            return Numbers.grouped(number);
        }
        if (cell instanceof Table.Time time) {
            return time.text();
        }
        if (cell instanceof Table.Times times) {
            return times.text();
        }
        if (cell instanceof Table.Labelled labelled) {
            return labelled.label();
        }
        return cell instanceof Table.Share share
                ? Numbers.percent(100 * share.part())
                : cell == null ? "" : cell.toString();
    }
}
