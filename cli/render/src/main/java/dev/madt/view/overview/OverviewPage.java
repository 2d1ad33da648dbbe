package dev.madt.view.overview;

import dev.madt.view.heatmap.LinkCells;
import dev.madt.view.heatmap.TimeBand;
import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * One page for a browser, which needs no network and has less than 5 MB whatever the trace:
 * {@code overview.html} with the data of a trace in it.
 */
public final class OverviewPage {
    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            OverviewPage.class,
            "overview.html",
            List.of(
                    "overview.css",
                    "data.js",
                    "tables.js",
                    "together.js",
                    "source.js",
                    "picture.js",
                    "control.js"));

    /** Bytes for each kind of rows; all of them together stay below 4.7 MB. */
    private static final int ROOM = 700_000;

    private static final int ROOM_FOR_TYPES = 250_000;
    private static final int ROOM_FOR_LINKS = 900_000;
    private static final int ROOM_FOR_CELLS = 1_500_000;
    private static final int ROOM_FOR_DEFECTS = 200_000;
    private static final int ROOM_FOR_THREADS = 50_000;
    /** Bytes for each of the tables of what threads do to each other. */
    private static final int ROOM_FOR_TOGETHER = 90_000;
    /** Rows of the picture, and its bands: the rest is one number. */
    private static final int MOST_ROWS = 48;

    private static final int MOST_BANDS = 40;

    private static final List<String> KEYS = List.of(
            "name",
            "region",
            "source",
            "loads",
            "stores",
            "bytes",
            "bulk_events",
            "bulk_bytes",
            "lines",
            "pages",
            "threads");
    private static final List<String> THREAD_KEYS = List.of("name", "loads", "stores");

    private final Overview overview;
    private final String trace;

    private OverviewPage(Overview overview, String trace) {
        this.overview = overview;
        this.trace = trace;
    }

    /** @param trace what the page calls the trace */
    public static void write(Overview overview, String trace, OutputStream out) throws IOException {
        TEMPLATE.write(out, new OverviewPage(overview, trace)::data);
    }

    private void data(TextBuffer text) {
        text.text("{\"trace\":")
                .text(JsonText.quoted(trace))
                .text(",\"command\":")
                .text(JsonText.quoted(overview.meta("command")))
                .text(",\"loads\":")
                .decimal(overview.loads())
                .text(",\"stores\":")
                .decimal(overview.stores())
                .text(",\"transfers\":")
                .decimal(overview.transfers())
                .text(",\n\"facts\":")
                .text(pairs(Facts.of(overview)))
                .text(",\n\"losses\":")
                .text(JsonText.array(Facts.losses(overview)))
                .text(",\n\"missing\":")
                .text(JsonText.array(Facts.missing(overview)))
                .text(",\n\"others\":")
                .text(pairs(others()))
                .text(",\n\"threads\":")
                .text(threads());
        List<Link> shown = rows(text);
        text.text(",\n\"sites\":")
                .text(JsonRows.of(sites(), ROOM).text())
                .text(",\n\"defects\":")
                .text(
                        overview.defects() == null
                                ? "null"
                                : JsonRows.of(overview.defects(), ROOM_FOR_DEFECTS)
                                        .text());
        text.text(",\n\"unlooked\":").text(JsonText.quoted(overview.unlooked()));
        types(text);
        together(text);
        picture(text, shown);
        text.text("}");
    }

    private void types(TextBuffer text) {
        if (overview.types() != null) {
            JsonRows rows = JsonRows.of(overview.types(), ROOM_FOR_TYPES);
            text.text(",\n\"types\":").text(rows.text());
        }
        if (overview.members() != null) {
            JsonRows rows = JsonRows.of(overview.members(), ROOM_FOR_TYPES);
            text.text(",\n\"members\":").text(rows.text());
        }
    }

    private void together(TextBuffer text) {
        if (overview.together() == null) {
            return;
        }
        text.text(",\n\"together\":{\"lacking\":").text(JsonText.array(overview.lacking()));
        for (Table table : overview.together()) {
            text.text(",\n")
                    .text(JsonText.quoted(table.name()))
                    .character(':')
                    .text(JsonRows.of(table, ROOM_FOR_TOGETHER).text());
        }
        text.character('}');
    }

    private static String pairs(List<String[]> pairs) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        pairs.forEach(pair -> array.add(JsonRows.array(pair[0], pair[1])));
        return array.toString();
    }

    private List<String[]> others() {
        return overview.others().entrySet().stream()
                .map(kind ->
                        new String[] {kind.getKey().toString(), kind.getValue().toString()})
                .toList();
    }

    private String threads() {
        List<Map.Entry<Integer, long[]>> threads =
                new ArrayList<>(overview.threads().entrySet());
        threads.sort(
                Comparator.comparingLong(thread -> -thread.getValue()[0] - thread.getValue()[1]));
        return JsonRows.of(
                        THREAD_KEYS,
                        threads.size(),
                        row -> new Object[] {
                            Integer.toUnsignedString(threads.get(row).getKey()),
                            threads.get(row).getValue()[0],
                            threads.get(row).getValue()[1]
                        },
                        ROOM_FOR_THREADS)
                .text();
    }

    /** Returns what allocated, without the row of everything that is no block. */
    private Table sites() {
        Table all = overview.sites();
        int blocks = all.keys().indexOf("blocks");
        Table sites = new Table(all.name(), all.headings());
        all.rows().stream().filter(row -> row[blocks] != null).forEach(sites::row);
        return sites;
    }

    /** Returns the links that the page has. */
    private List<Link> rows(TextBuffer text) {
        Links links = overview.links();
        List<Row> symbols = links.symbols().hottest();
        List<Row> functions = links.functions().hottest();
        List<Row> lines = links.hasLines() ? links.lines().hottest() : List.of();
        JsonRows shownSymbols = rows(symbols);
        JsonRows shownFunctions = rows(functions);
        JsonRows shownLines = rows(lines);
        text.text(",\n\"symbols\":")
                .text(shownSymbols.text())
                .text(",\n\"functions\":")
                .text(shownFunctions.text())
                .text(",\n\"lines\":")
                .text(shownLines.text())
                .text(",\n\"sources\":")
                .text(new SourceText(lines.subList(0, shownLines.count())).json());
        return links(
                text,
                new Places(symbols, shownSymbols.count()),
                new Places(functions, shownFunctions.count()),
                new Places(lines, shownLines.count()));
    }

    private static JsonRows rows(List<Row> rows) {
        return JsonRows.of(
                KEYS,
                rows.size(),
                at -> {
                    Row row = rows.get(at);
                    return new Object[] {
                        row.name(),
                        row.region(),
                        row.source(),
                        row.loads(),
                        row.stores(),
                        row.bytes(),
                        row.transfers(),
                        row.transferBytes(),
                        row.lines(),
                        row.pages(),
                        row.threads()
                    };
                },
                ROOM);
    }

    /** Says where in the page the rows are that it shows. */
    private static final class Places {
        private static final int NOWHERE = -1;

        private final int[] places;

        private Places(List<Row> rows, int shown) {
            places = new int[rows.stream().mapToInt(Row::index).max().orElse(NOWHERE) + 1];
            Arrays.fill(places, NOWHERE);
            for (int i = 0; i < shown; i++) {
                places[rows.get(i).index()] = i;
            }
        }

        private int of(Row row) {
            return row.index() < places.length ? places[row.index()] : NOWHERE;
        }
    }

    /**
     * Six numbers a link: symbol, function and line, -1 where the page has no such row, then loads,
     * stores and bulk transfers. The hottest come first. Returns those for which there is room.
     */
    private List<Link> links(TextBuffer text, Places symbols, Places functions, Places lines) {
        List<Link> links = new ArrayList<>(overview.links().all());
        links.removeIf(link -> link.weight() == 0);
        links.sort(Comparator.comparingLong(Link::weight).reversed());
        text.text(",\n\"links\":[");
        int room = ROOM_FOR_LINKS;
        int shown = 0;
        String between = "";
        for (Link link : links) {
            String row =
                    symbols.of(link.data()) + "," + functions.of(link.code().function()) + ","
                            + lines.of(link.code().line()) + "," + link.loads() + ","
                            + link.stores() + "," + link.transfers();
            room -= row.length() + 2;
            if (room < 0) {
                break;
            }
            text.text(between).text(row);
            between = ",\n";
            shown++;
        }
        text.character(']');
        return links.subList(0, shown);
    }

    /**
     * Bands, each with its rows; a row is its first and last address, then pairs of a slice of time
     * and a count.
     */
    private void picture(TextBuffer text, List<Link> links) {
        List<TimeBand> all = TimeBand.of(overview.heat(), MOST_ROWS);
        List<TimeBand> bands = all.subList(0, Math.min(all.size(), MOST_BANDS));
        text.text(",\n\"slices\":")
                .decimal(TimeBand.slices(overview.heat()))
                .text(",\"slice\":")
                .decimal(TimeBand.slice(overview.heat()))
                .text(",\"moreBands\":")
                .decimal(all.size() - bands.size())
                .text(",\n\"bands\":[");
        String between = "\n";
        for (TimeBand band : bands) {
            text.text(between)
                    .text("{\"label\":")
                    .text(JsonText.quoted(band.label()))
                    .text(",\"regions\":")
                    .text(JsonRows.array(band.regions().toArray()))
                    .text(",\"pages\":")
                    .decimal(band.pages())
                    .text(",\"events\":")
                    .decimal(band.events())
                    .text(",\"rows\":[");
            String between2 = "";
            for (TimeBand.Row row : band.rows()) {
                text.text(between2);
                row(text, row);
                between2 = ",";
            }
            text.text("]}");
            between = ",\n";
        }
        text.character(']');
        cells(text, bands, links);
    }

    /**
     * Says what of the picture is of which link: for each link, as long as there is room,
     * pairs of a cell and a count. A cell is its row, counted through all bands, times the slices
     * that there are here, plus its slice; each is the difference from the one before.
     */
    private void cells(TextBuffer text, List<TimeBand> bands, List<Link> links) {
        LinkCells cells = overview.cells();
        Map<Integer, StringBuilder> ofLinks = new HashMap<>();
        Map<Integer, Integer> last = new HashMap<>();
        cells.each(bands, (link, row, slice, count) -> {
            StringBuilder pairs = ofLinks.computeIfAbsent(link, absent -> new StringBuilder());
            int cell = row * cells.slices() + slice;
            Integer before = last.put(link, cell);
            pairs.append(pairs.isEmpty() ? "" : ",")
                    .append(before == null ? cell : cell - before)
                    .append(',')
                    .append(count);
        });
        text.text(",\n\"cells\":{\"slices\":")
                .decimal(cells.slices())
                .text(",\"slice\":")
                .decimal(cells.slice())
                .text(",\"links\":[");
        int room = ROOM_FOR_CELLS;
        String between = "\n";
        for (Link link : links) {
            StringBuilder pairs = ofLinks.getOrDefault(link.index(), new StringBuilder());
            room -= pairs.length();
            if (room < 0) {
                break;
            }
            text.text(between).text("[").text(pairs.toString()).text("]");
            between = ",\n";
        }
        text.text("]}");
    }

    private static void row(TextBuffer text, TimeBand.Row row) {
        text.text("[\"")
                .hexadecimal(row.first(), 1)
                .text("\",\"")
                .hexadecimal(row.end() - 1, 1)
                .character('"');
        for (int slice = 0; slice < row.counts().length; slice++) {
            if (row.counts()[slice] > 0) {
                text.character(',').decimal(slice).character(',').decimal(row.counts()[slice]);
            }
        }
        text.character(']');
    }
}
