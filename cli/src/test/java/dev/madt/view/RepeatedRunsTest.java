package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.view.cache.CacheHierarchy;
import dev.madt.view.convert.ConversionOptions;
import dev.madt.view.convert.TargetFormat;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatFormat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.HeatView;
import dev.madt.view.report.JsonTable;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a run does again counts as if it was done access by access. */
class RepeatedRunsTest {
    private static final int EVENTS = 9_001;
    private static final int SEEDS = 11;

    @ParameterizedTest
    @EnumSource
    void shouldReportRunsAsTheirAccesses(ReportKey key) {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertEquals(report(key, seed, false), report(key, seed, true), "seed " + seed);
        }
    }

    private static String report(ReportKey key, long seed, boolean asRuns) {
        Report report = new Report(key, false);
        RepeatedRuns.give(seed, EVENTS, asRuns, new ViewFeed(report));
        return JsonTable.render(List.of(), report.table(0), report.defectTable());
    }

    @ParameterizedTest
    @EnumSource
    void shouldConvertRunsAsTheirAccesses(TargetFormat format) {
        for (boolean byData : new boolean[] {false, true}) {
            assertEquals(converted(format, byData, false), converted(format, byData, true));
        }
    }

    private static String converted(TargetFormat format, boolean byData, boolean asRuns) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ConversionOptions options =
                new ConversionOptions(true, false, byData, CacheHierarchy.ofThisMachine());
        RepeatedRuns.give(5, EVENTS, asRuns, new ViewFeed(format.writer(out, options)));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDrawRunsAsTheirAccesses() throws Exception {
        assertEquals(drawn(HeatFormat.HTML, -1, false), drawn(HeatFormat.HTML, -1, true));
        for (long thread : new long[] {-1, 1, 2
        }) { // a page for a browser may list the names of one thread in another order
            assertEquals(drawn(HeatFormat.TXT, thread, false), drawn(HeatFormat.TXT, thread, true));
            assertEquals(drawn(HeatFormat.SVG, thread, false), drawn(HeatFormat.SVG, thread, true));
        }
    }

    private static String drawn(HeatFormat format, long thread, boolean asRuns) throws Exception {
        Heat heat = new Heat(
                12, new HeatSelection(true, true, null, thread), format == HeatFormat.HTML);
        RepeatedRuns.give(7, EVENTS, asRuns, new ViewFeed(heat));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format.write(heat, new HeatView(true, true), out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
