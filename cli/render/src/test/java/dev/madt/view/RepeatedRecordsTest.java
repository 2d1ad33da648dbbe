package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testing.Tier;
import dev.madt.view.RepeatedRecords.Form;
import dev.madt.view.cache.CacheHierarchy;
import dev.madt.view.convert.ConversionOptions;
import dev.madt.view.convert.TargetFormat;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatFormat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.HeatView;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.JsonTable;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that what a record does again counts as if it was done access by access. */
class RepeatedRecordsTest {
    private static final int EVENTS = Tier.of(9_001, 3_001);
    private static final int SEEDS = Tier.of(7, 1);

    @ParameterizedTest
    @EnumSource
    void shouldReportRecordsAsTheirAccesses(ReportKey key) {
        for (int seed = 0; seed < SEEDS; seed++) {
            String expected = report(key, seed, Form.ACCESSES);
            assertEquals(expected, report(key, seed, Form.RECORDS), "seed " + seed);
            assertEquals(expected, report(key, seed, Form.ROWS), "seed " + seed);
        }
    }

    /** A selection is given accesses in batches, and an object for each allocation. */
    @ParameterizedTest
    @EnumSource
    void shouldReportAsWhereEachEventIsTold(ReportKey key) {
        for (int seed = 0; seed < 2 * SEEDS; seed++) {
            Report report = new Report(key, false);
            SelectedView all = new SelectedView(report, Selection.ALL);
            RepeatedRecords.give(seed, EVENTS, Form.ROWS, new ViewFeed(all));
            assertEquals(table(report), report(key, seed, Form.ROWS), "seed " + seed);
        }
    }

    private static String report(ReportKey key, long seed, Form form) {
        Report report = new Report(key, false);
        RepeatedRecords.give(seed, EVENTS, form, new ViewFeed(report));
        return table(report);
    }

    private static String table(Report report) {
        return JsonTable.render(List.of(), report.table(0), report.defectTable());
    }

    @ParameterizedTest
    @EnumSource
    void shouldConvertRecordsAsTheirAccesses(TargetFormat format) {
        for (boolean byData : new boolean[] {false, true}) {
            String expected = converted(format, byData, Form.ACCESSES);
            assertEquals(expected, converted(format, byData, Form.RECORDS));
            assertEquals(expected, converted(format, byData, Form.ROWS));
        }
    }

    private static String converted(TargetFormat target, boolean byData, Form form) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ConversionOptions options =
                new ConversionOptions(true, true, false, byData, CacheHierarchy.ofThisMachine());
        RepeatedRecords.give(5, EVENTS, form, new ViewFeed(target.writer(out, options)));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDrawRecordsAsTheirAccesses() throws Exception {
        assertDrawnAlike(HeatFormat.HTML, -1);
        // a page for a browser may list the names of one thread in another order
        for (long thread : new long[] {-1, 1, 2}) {
            assertDrawnAlike(HeatFormat.TXT, thread);
            assertDrawnAlike(HeatFormat.SVG, thread);
        }
    }

    private static void assertDrawnAlike(HeatFormat format, long thread) throws Exception {
        String expected = drawn(format, thread, Form.ACCESSES);
        assertEquals(expected, drawn(format, thread, Form.RECORDS));
        assertEquals(expected, drawn(format, thread, Form.ROWS));
    }

    private static String drawn(HeatFormat picture, long thread, Form form) throws Exception {
        Heat heat = new Heat(
                12, new HeatSelection(true, true, null, thread), picture == HeatFormat.HTML);
        RepeatedRecords.give(7, EVENTS, form, new ViewFeed(heat));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        picture.write(heat, new HeatView(true, true), out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
