package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.testing.Tier;
import dev.madt.trace.event.EventConsumer;
import dev.madt.view.cache.CacheGeometry;
import dev.madt.view.defects.DefectCounts;
import dev.madt.view.defects.DefectKind;
import dev.madt.view.defects.DefectView;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatFormat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.HeatView;
import dev.madt.view.hottest.HotView;
import dev.madt.view.hottest.HottestText;
import dev.madt.view.locality.CacheReport;
import dev.madt.view.locality.LocalityKey;
import dev.madt.view.locality.ReuseReport;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.JsonTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many analyses in one pass: each makes what it makes alone. */
class ReadingTest {
    private static final int EVENTS = Tier.of(4_003, 1_201);
    private static final Selection STORES = new Selection(null, null, "SFMRYW", -1, -1, 0, -1);
    private static final LateNames NAMES = new LateNames(Demangler.NONE);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TIMES") // madt top alone takes these
    void shouldReportTogetherAsAlone(RepeatedRecords.Form form) {
        for (int seed = 0; seed < 2; seed++) {
            for (Selection selection : List.of(Selection.ALL, STORES)) {
                List<Report> together = reports();
                read(seed, form, selection, together);
                List<Report> alone = reports();
                for (Report report : alone) {
                    read(seed, form, selection, List.of(report));
                }
                for (int i = 0; i < alone.size(); i++) {
                    assertEquals(table(alone.get(i)), table(together.get(i)), "report " + i);
                }
            }
        }
    }

    /** By each key, all of them twice, and some by two. */
    private static List<Report> reports() {
        Stream<Report> once = Arrays.stream(ReportKey.values()).map(key -> new Report(key, false));
        Stream<Report> again = Arrays.stream(ReportKey.values()).map(key -> new Report(key, false));
        Stream<Report> crossed = Stream.of(
                new Report(List.of(ReportKey.SYMBOL, ReportKey.FUNCTION), false, null),
                new Report(List.of(ReportKey.THREAD, ReportKey.BLOCK), false, null),
                new Report(ReportKey.SYMBOL, true));
        return Stream.concat(Stream.concat(once, again), crossed).toList();
    }

    private static String table(Report report) {
        return JsonTable.render(List.of(), report.table(0), report.defectTable());
    }

    private static void read(
            long seed,
            RepeatedRecords.Form form,
            Selection selection,
            List<? extends Analysis> analyses) {
        Reading reading = new Reading(selection);
        analyses.forEach(reading::add);
        RepeatedRecords.give(seed, EVENTS, form, reading.consumer(Demangler.NONE, null));
    }

    @Test
    void shouldServeAnalysesOfAllKindsTogether() throws IOException {
        for (int seed = 0; seed < 2; seed++) {
            List<String> alone = new ArrayList<>();
            List<Analysis> analyses = analyses();
            for (Analysis analysis : analyses()) {
                read(seed, RepeatedRecords.Form.ROWS, Selection.ALL, List.of(analysis));
                alone.add(text(analysis));
            }
            read(seed, RepeatedRecords.Form.ROWS, Selection.ALL, analyses);
            List<String> together = new ArrayList<>();
            for (Analysis analysis : analyses) {
                together.add(text(analysis));
            }
            assertEquals(alone, together);
        }
    }

    private static final ReuseReport.Form REUSE = new ReuseReport.Form(
            ReuseReport.Part.ROWS,
            LocalityKey.SYMBOL,
            64,
            List.of(128L, 4096L),
            100,
            true,
            true,
            1);

    private static List<Analysis> analyses() {
        return List.of(
                new Heat(12, new HeatSelection(true, true, null, -1), true),
                new HotView(),
                new DefectView(EnumSet.allOf(DefectKind.class), Selection.ALL),
                new Report(ReportKey.SITE, false),
                new Report(ReportKey.BLOCK, false),
                new ReuseReport(REUSE),
                new CacheReport(new CacheReport.Form(
                        LocalityKey.FUNCTION,
                        List.of(CacheGeometry.of("512,2,64"), CacheGeometry.of("1K,4,32")),
                        CacheReport.Like.MADT,
                        true)));
    }

    private static String text(Analysis analysis) throws IOException {
        if (analysis instanceof Heat heat) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            HeatFormat.SVG.write(heat, new HeatView(true, true), out);
            return out.toString(StandardCharsets.UTF_8);
        } else if (analysis instanceof HotView hot) {
            return HottestText.data(hot, NAMES) + HottestText.code(hot, NAMES) + hot.accesses();
        }
        if (analysis instanceof ReuseReport reuse) {
            return JsonTable.render(List.of(), reuse.table(0, true)) + reuse.sentences();
        } else if (analysis instanceof CacheReport cache) {
            return JsonTable.render(List.of(), cache.table(0)) + cache.sentences();
        }
        return analysis instanceof DefectView defects
                ? DefectCounts.of(defects.found().sorted())
                : table((Report) analysis);
    }

    @Test
    void shouldSelectForThoseWhoWantASelection() {
        Report selected = new Report(ReportKey.SYMBOL, false);
        Report all = new Report(ReportKey.SYMBOL, false);
        Reading reading = new Reading(STORES).add(selected).addUnselected(all);
        RepeatedRecords.give(
                1, EVENTS, RepeatedRecords.Form.ROWS, reading.consumer(Demangler.NONE, null));
        assertEquals(0, selected.loads());
        assertEquals(all.stores(), selected.stores());
        assertEquals(
                all.loads() + all.stores() + all.bulkTransfers(),
                reading.selected().seen());
    }

    /** Checks that accesses which are only counted, or passed over, are those that are wanted. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TIMES") // madt top alone takes these
    void shouldSelectInEachFormTheSame(RepeatedRecords.Form form) throws IOException {
        for (Selection selection : List.of(
                Selection.ALL.of(new NamePattern("<*")),
                Selection.ALL.of(new NamePattern("table")),
                Selection.ALL.ofFunction(new NamePattern("t*")),
                Selection.ALL.ofFunction(new NamePattern("none")),
                Selection.ALL.of(new NamePattern("<*")).ofFunction(new NamePattern("t*")))) {
            List<Analysis> expected = analyses();
            List<Analysis> found = analyses();
            for (int i = 0; i < found.size(); i++) {
                String which = selection + ", analysis " + i;
                assertEquals(
                        select(
                                RepeatedRecords.Form.ACCESSES,
                                eachByItself(selection),
                                expected.get(i)),
                        select(form, selection, found.get(i)),
                        which);
                assertEquals(text(expected.get(i)), text(found.get(i)), which);
            }
        }
    }

    private static String select(
            RepeatedRecords.Form form, Selection selection, Analysis analysis) {
        Reading reading = new Reading(selection).add(analysis);
        RepeatedRecords.give(1, EVENTS, form, reading.consumer(Demangler.NONE, null));
        SelectedView view = reading.selected();
        return view.given() + " of " + view.seen();
    }

    /** As a selection; that all numbers are wanted, each access has to tell. */
    private static Selection eachByItself(Selection of) {
        return new Selection(
                of.symbol(),
                null,
                null,
                null,
                of.function(),
                null,
                null,
                null,
                of.thread(),
                -1,
                0,
                Long.MAX_VALUE,
                -1,
                -1);
    }

    /**
     * Checks that who has not said that it keeps something cannot keep it where another one does.
     */
    @Test
    void shouldRejectNotesThatNobodyHasNamed() {
        Notes<String> notes = new Notes<>();
        EventConsumer feed = new Reading(Selection.ALL)
                .add((Analysis) batch -> notes.of(batch.place(0)))
                .consumer(Demangler.NONE, new MemberTypes());
        assertThrows(
                ArrayIndexOutOfBoundsException.class,
                () -> RepeatedRecords.give(1, EVENTS, RepeatedRecords.Form.ACCESSES, feed));
    }
}
