package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.RepeatedRecords;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JoinedReportTest {
    private static final int EVENTS = 5_003;
    private static final int FIGURES = 8;
    private static final AccessSite LOAD =
            new AccessSite(0x401007, 3, AccessKind.LOAD, 4, 0, false);

    /**
     * Share apart, what is counted of a process twice is twice what is counted of it once: lines
     * and pages too, which are other memory.
     */
    @ParameterizedTest
    @EnumSource
    void shouldAddUpProcesses(ReportKey key) {
        if (!key.joinsProcesses()) {
            return;
        }
        Report once = new Report(key, false).joined();
        RepeatedRecords.give(3, EVENTS, RepeatedRecords.Form.ROWS, new ViewFeed(once));
        Report twice = new Report(key, false).joined();
        RepeatedRecords.give(3, EVENTS, RepeatedRecords.Form.ROWS, new ViewFeed(twice));
        RepeatedRecords.give(3, EVENTS, RepeatedRecords.Form.ROWS, new ViewFeed(twice));
        Table single = once.table(0);
        Table joined = twice.table(0);
        assertEquals(single.rows().size(), joined.rows().size());
        for (int i = 0; i < single.rows().size(); i++) {
            assertEquals(doubled(single.rows().get(i)), figures(joined.rows().get(i)));
        }
        assertEquals(doubled(single.total()), figures(joined.total()));
    }

    private static List<Object> figures(Object[] row) {
        return Arrays.asList(row).subList(1, FIGURES);
    }

    private static List<Object> doubled(Object[] row) {
        return figures(row).stream()
                .<Object>map(cell -> cell instanceof Long count ? (Object) (2 * count) : cell)
                .collect(Collectors.toList());
    }

    private static void process(Report report, int pid, String program) {
        ViewFeed feed = new ViewFeed(report);
        feed.meta(Map.of("pid", Integer.toString(pid), "program", "/opt/" + program));
        feed.define(new Definition.Region(
                RegionKind.CODE, 5, 0x401000, 0x402000, 0x401000, "[" + program + "]"));
        feed.define(
                new Definition.Region(RegionKind.DATA, 3, 0x404000, 0x405000, 0x404000, "[.bss]"));
        feed.define(
                new Definition.Region(RegionKind.HEAP, 3, 0x500000, 0x600000, 0x500000, "[heap]"));
        feed.define(new Definition.Symbol(true, 0x401000, 0x100, "main"));
        feed.define(new Definition.Symbol(false, 0x404000, 0x100, "table"));
        feed.ring(TraceEvent.of(RingEventType.MALLOC, 1, 1, 0x500000, 33, 0, 0, "", 0x401005));
        feed.access(0, 1, LOAD, false, 0x404000);
        feed.access(1, 1, LOAD, false, 0x500000);
        feed.end(true);
    }

    private static List<String> rows(ReportKey key) {
        Report report = new Report(key, false).joined();
        process(report, 7, "one");
        process(report, 8, "two");
        process(report, 9, "one");
        return report.table(0).rows().stream()
                .map(row -> Arrays.stream(row)
                                .skip(FIGURES)
                                .map(String::valueOf)
                                .collect(Collectors.joining(" "))
                        + " " + row[1])
                .sorted()
                .toList();
    }

    @Test
    void shouldJoinNamesOfOneModuleOnly() {
        assertEquals(
                List.of(
                        "<malloc@one:main+5> [heap] 2",
                        "<malloc@two:main+5> [heap] 1",
                        "table [one:.bss] 2",
                        "table [two:.bss] 1"),
                rows(ReportKey.SYMBOL));
        assertEquals(List.of("main [one] 4", "main [two] 2"), rows(ReportKey.FUNCTION));
        assertEquals(List.of("[one] 4", "[two] 2"), rows(ReportKey.MODULE));
        assertEquals(
                List.of("7 /opt/one 2", "8 /opt/two 2", "9 /opt/one 2"), rows(ReportKey.PROCESS));
        assertEquals(List.of("[heap] 3", "[one:.bss] 2", "[two:.bss] 1"), rows(ReportKey.REGION));
    }
}
