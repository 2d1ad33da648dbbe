package dev.madt.view.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.SourceLevel;
import dev.madt.view.NamePattern;
import dev.madt.view.RandomEvents;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.TimeBand;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverviewTest {
    private static final int EVENTS = 20_011;
    /** Symbols of all that are looked at one by one. */
    private static final int PICTURED = 8;

    private static final List<String> NUMBERS =
            List.of("loads", "stores", "bytes", "bulk_events", "bulk_bytes", "lines", "pages");

    private static Overview overview(long seed) {
        Overview overview = new Overview();
        new RandomEvents(seed, new ViewFeed(overview)).give(EVENTS);
        return overview;
    }

    private static Table table(long seed, ReportKey key) {
        Report report = new Report(key, false);
        new RandomEvents(seed, new ViewFeed(report)).give(EVENTS);
        return report.table(0);
    }

    /** The numbers of a report's rows by name and region. */
    private static Map<String, String> reported(Table table, String name, String region) {
        Map<String, String> rows = new HashMap<>();
        List<String> keys = table.keys();
        for (Object[] row : table.rows()) {
            rows.put(
                    row[keys.indexOf(name)] + " " + row[keys.indexOf(region)],
                    NUMBERS.stream().map(key -> row[keys.indexOf(key)]).toList().toString());
        }
        return rows;
    }

    private static Map<String, String> counted(Rows rows) {
        Map<String, String> counted = new HashMap<>();
        for (Row row : rows.hottest()) {
            counted.put(
                    row.name() + " " + row.region(),
                    LongStream.of(
                                    row.loads(),
                                    row.stores(),
                                    row.bytes(),
                                    row.transfers(),
                                    row.transferBytes(),
                                    row.lines(),
                                    row.pages())
                            .boxed()
                            .toList()
                            .toString());
        }
        return counted;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldCountWhatReportsCount(long seed) {
        Overview overview = overview(seed);
        assertEquals(
                reported(table(seed, ReportKey.SYMBOL), "symbol", "region"),
                counted(overview.links().symbols()));
        assertEquals(
                reported(table(seed, ReportKey.FUNCTION), "function", "module"),
                counted(overview.links().functions()));
        assertEquals(
                reported(table(seed, ReportKey.LINE), "line", "function"),
                counted(overview.links().lines()));
        List<String> sites = table(seed, ReportKey.SITE).rows().stream()
                .map(Arrays::toString)
                .toList();
        assertEquals(
                sites, overview.sites().rows().stream().map(Arrays::toString).toList());
        assertTrue(sites.size() > 3, sites.toString());
    }

    /** Checks that what code and data count together is what each of them counts. */
    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void shouldLinkAllAccesses(long seed) {
        Overview overview = overview(seed);
        Map<Row, Long> data = new HashMap<>();
        Map<Row, Long> functions = new HashMap<>();
        Map<Row, Long> lines = new HashMap<>();
        for (Link link : overview.links().all()) {
            data.merge(link.data(), link.weight(), Long::sum);
            functions.merge(link.code().function(), link.loads() + link.stores(), Long::sum);
            lines.merge(link.code().line(), link.loads() + link.stores(), Long::sum);
        }
        data.forEach((row, sum) -> assertEquals(row.accesses() + row.transfers(), sum, row.name()));
        functions.forEach((row, sum) -> assertEquals(row.accesses(), sum, row.name()));
        lines.forEach((row, sum) -> assertEquals(row.accesses(), sum, row.name()));
        assertEquals(overview.links().symbols().hottest().size(), data.size());
        assertEquals(
                overview.loads() + overview.stores(),
                data.keySet().stream().mapToLong(Row::accesses).sum());
    }

    @Test
    void shouldShowEachEventInABandOfTime() {
        Overview overview = new Overview();
        new RandomEvents(7, new ViewFeed(overview)).give(EVENTS);
        List<TimeBand> bands = TimeBand.of(overview.heat(), 40);
        long shown = bands.stream()
                .flatMap(band -> band.rows().stream())
                .flatMapToLong(row -> LongStream.of(row.counts()))
                .sum();
        assertEquals(bands.stream().mapToLong(TimeBand::events).sum(), shown);
        assertTrue(shown >= overview.events(), shown + " of " + overview.events());
        for (TimeBand band : bands) {
            assertEquals(
                    band.events(),
                    band.rows().stream()
                            .flatMapToLong(row -> LongStream.of(row.counts()))
                            .sum(),
                    band.label());
        }
    }

    /** The links of each cell of the picture add up to it. */
    @Test
    void shouldKnowWhoseEachCellOfThePictureIs() {
        Overview overview = overview(9);
        List<TimeBand> bands = TimeBand.of(overview.heat(), 40);
        List<TimeBand.Row> rows =
                bands.stream().flatMap(band -> band.rows().stream()).toList();
        Map<String, Long> expected = new HashMap<>();
        long together = overview.cells().slice() / TimeBand.slice(overview.heat());
        for (int row = 0; row < rows.size(); row++) {
            long[] counts = rows.get(row).counts();
            for (int slice = 0; slice < counts.length; slice++) {
                if (counts[slice] > 0) {
                    expected.merge(row + " " + slice / together, counts[slice], Long::sum);
                }
            }
        }
        Map<String, Long> counted = new HashMap<>();
        overview.cells()
                .each(
                        bands,
                        (link, row, slice, count) ->
                                counted.merge(row + " " + slice, count, Long::sum));
        assertEquals(expected, counted);
    }

    /** The cells of all links of a symbol are those of a heatmap of that symbol alone. */
    @Test
    void shouldPictureASymbolAsAHeatmapOfIt() {
        Overview overview = overview(10);
        List<TimeBand> bands = TimeBand.of(overview.heat(), 40);
        List<TimeBand.Row> rows =
                bands.stream().flatMap(band -> band.rows().stream()).toList();
        int pictured = 0;
        List<Row> hottest = overview.links().symbols().hottest();
        for (int i = 0; i < hottest.size(); i += 1 + hottest.size() / PICTURED) {
            Row symbol = hottest.get(i);
            Set<Integer> links = overview.links().all().stream()
                    .filter(link -> link.data().name().equals(symbol.name()))
                    .map(Link::index)
                    .collect(Collectors.toSet());
            Map<Integer, Long> counted = new TreeMap<>();
            overview.cells().each(bands, (link, row, slice, count) -> {
                if (links.contains(link)) {
                    counted.merge(row, count, Long::sum);
                }
            });
            NamePattern pattern = new NamePattern(symbol.name());
            Heat heat = new Heat(12, new HeatSelection(true, true, pattern, -1), false);
            new RandomEvents(10, new ViewFeed(heat)).give(EVENTS);
            Map<Integer, Long> expected = new TreeMap<>();
            TimeBand.of(heat, 1 << 20).stream()
                    .flatMap(band -> band.rows().stream())
                    .forEach(row -> expected.merge(
                            rowOf(rows, row.first()),
                            LongStream.of(row.counts()).sum(),
                            Long::sum));
            assertEquals(expected, counted, symbol.name());
            pictured += expected.isEmpty() ? 0 : 1;
        }
        assertTrue(pictured > PICTURED / 2, pictured + " symbols");
    }

    private static int rowOf(List<TimeBand.Row> rows, long address) {
        return IntStream.range(0, rows.size())
                .filter(row -> Long.compareUnsigned(rows.get(row).first(), address) <= 0
                        && Long.compareUnsigned(address, rows.get(row).end()) < 0)
                .findFirst()
                .orElseThrow();
    }

    /** The threads of a symbol are those in whose part of the trace it is. */
    @Test
    void shouldKnowHowManyThreadsShareData() {
        Map<String, Integer> expected = new HashMap<>();
        for (long thread = 1; thread <= 2; thread++) {
            Report report = new Report(ReportKey.SYMBOL, false);
            new RandomEvents(
                            8,
                            new ViewFeed(new SelectedView(
                                    report, new Selection(null, null, null, thread, -1, 0, -1))))
                    .give(EVENTS);
            reported(report.table(0), "symbol", "region")
                    .keySet()
                    .forEach(name -> expected.merge(name, 1, Integer::sum));
        }
        Map<String, Integer> counted = new HashMap<>();
        overview(8)
                .links()
                .symbols()
                .hottest()
                .forEach(row -> counted.put(row.name() + " " + row.region(), row.threads()));
        assertEquals(expected, counted);
        assertEquals(Set.of(1, 2), Set.copyOf(counted.values()));
    }

    private static String page(Overview overview) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OverviewPage.write(overview, "a trace", out);
        return out.toString(StandardCharsets.UTF_8);
    }

    /**
     * 9,000 variables, functions and lines with long names, each of them accessed, and pages
     * without end.
     */
    @Test
    void shouldStaySmallWhateverTheTrace() throws IOException {
        Overview overview = new Overview();
        ViewFeed feed = new ViewFeed(overview);
        long code = 0x400000;
        long data = 0x4000_0000;
        int many = 9_001;
        String text = "<std::\"long\"\u0007\u20ac>".repeat(30);
        feed.define(new Definition.Region(
                RegionKind.CODE, 5, code, code + 64L * many, code, "[made-up]"));
        feed.define(new Definition.Region(
                RegionKind.DATA, 3, data, data + 4096L * many, data, "[.data]"));
        for (int i = 0; i < many; i++) {
            feed.define(new Definition.Symbol(true, code + 64L * i, 64, text + i));
            feed.define(new Definition.Symbol(false, data + 4096L * i, 4096, i + text));
            feed.define(new Definition.Source(
                    code + 64L * i,
                    List.of(new SourceLevel(
                            "f", "/src/" + "long".repeat(50) + i + ".c", 1 + i, 1))));
        }
        for (int i = 0; i < 2 * many; i++) {
            AccessSite site =
                    new AccessSite(code + 64L * (i % many), 3, AccessKind.STORE, 4, 0, false);
            feed.access(i, 1 + i % 3001, site, true, data + 4096L * (i * 7919L % many) + i % 2048);
        }
        feed.end(true);
        String page = page(overview);
        int bytes = page.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(bytes < 5_000_000, bytes + " bytes");
        assertTrue(bytes > 2_000_000, bytes + " bytes");
        assertTrue(page.matches("(?s).*\"symbols\":\\{.*\"more\":\\d{4,}\\}.*"));
        assertFalse(page.contains("<std"));
    }

    @ParameterizedTest
    @CsvSource({
        "complete, 0",
        "complete up to the crash, 0",
        "complete but for 3 lost accesses, 1",
        "ended at the limit of --max-events, 1",
        "'complete up to the crash, without 2 lost events', 1"
    })
    void shouldTellLossesFromWholeTraces(String completeness, int losses) throws IOException {
        Overview overview = new Overview();
        ViewFeed feed = new ViewFeed(overview);
        feed.meta(Map.of("completeness", completeness));
        feed.end(true);
        assertTrue(
                page(overview)
                        .contains("\"losses\":"
                                + (losses == 0
                                        ? "[]"
                                        : "[\"The trace is " + completeness + ".\"]")),
                completeness);
    }

    @Test
    void shouldWriteAPageOfNothing() throws IOException {
        Overview overview = new Overview();
        new ViewFeed(overview).end(false);
        String page = page(overview);
        assertTrue(
                page.contains("\"losses\":[\"The file is cut off: its end is missing.\"]"), page);
        assertFalse(page.matches("(?s).*https?:.*"));
    }
}
