package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.Table;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static final long CODE = 0x401000;
    private static final AccessSite LOAD =
            new AccessSite(CODE + 7, 3, AccessKind.LOAD, 4, 0, false);

    /**
     * A process that loads from its variables {@code first} and {@code second}, and allocates
     * blocks of 24 bytes at the place of a call.
     */
    private static Report process(
            ReportKey key, String program, int first, int second, int blocks, int freed, int call) {
        Report report = new Report(key, false);
        ViewFeed feed = new ViewFeed(report);
        feed.meta(Map.of("pid", "7", "program", "/opt/" + program));
        feed.define(new Definition.Region(
                RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[" + program + "]"));
        feed.define(
                new Definition.Region(RegionKind.DATA, 3, 0x404000, 0x405000, 0x404000, "[.bss]"));
        feed.define(
                new Definition.Region(RegionKind.HEAP, 3, 0x500000, 0x600000, 0x500000, "[heap]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "main"));
        feed.define(new Definition.Symbol(false, 0x404000, 0x10, "first"));
        feed.define(new Definition.Symbol(false, 0x404010, 0x10, "second"));
        long number = 0;
        for (int i = 0; i < first + second; i++) {
            feed.access(number++, 1, LOAD, false, i < first ? 0x404000 : 0x404010);
        }
        for (int i = 0; i < blocks + freed; i++) {
            long block = 0x500000 + 0x40 * (i % blocks);
            feed.ring(
                    i < blocks
                            ? TraceEvent.of(
                                    RingEventType.MALLOC, 1, i, block, 24, 0, 0, "", CODE + call)
                            : TraceEvent.of(
                                    RingEventType.FREE, 1, i, 0, 0, block, 0, "", CODE + 90));
        }
        feed.end(true);
        return report;
    }

    private static Difference compared(
            ReportKey key, Measure measure, boolean offsets, Report before, Report after) {
        Difference difference = new Difference(key, measure, name -> !offsets);
        difference.compare(before, after);
        return difference;
    }

    @Test
    void shouldTellWhatGrewShrankIsNewAndGone() {
        ReportKey key = ReportKey.SYMBOL;
        Table table = compared(
                        key,
                        Measure.ACCESSES,
                        true,
                        process(key, "prog", 5, 0, 1, 0, 5),
                        process(key, "prog", 2, 7, 1, 0, 5))
                .table(0);
        assertEquals(
                List.of("before", "after", "change", "relative", "state", "symbol", "region"),
                table.headings());
        assertEquals(2, table.rows().size());
        assertArrayEquals(
                new Object[] {0L, 7L, 7L, null, "new", "second", "[.bss]"},
                table.rows().get(0));
        assertArrayEquals(
                new Object[] {5L, 2L, -3L, new Table.Share(-0.6), "shrank", "first", "[.bss]"},
                table.rows().get(1));
        assertArrayEquals(
                new Object[] {5L, 9L, 4L, new Table.Share(0.8), null, "total", null},
                table.total());
        Table back = compared(
                        key,
                        Measure.ACCESSES,
                        true,
                        process(key, "prog", 2, 7, 1, 0, 5),
                        process(key, "prog", 5, 0, 1, 0, 5))
                .table(1);
        assertArrayEquals(
                new Object[] {7L, 0L, -7L, new Table.Share(-1), "gone", "second", "[.bss]"},
                back.rows().get(0));
        assertEquals(1, back.hidden());
    }

    @Test
    void shouldFindNothingInEqualTraces() {
        ReportKey key = ReportKey.SYMBOL;
        Difference equal = compared(
                key,
                Measure.ACCESSES,
                true,
                process(key, "prog", 3, 4, 2, 1, 5),
                process(key, "prog", 3, 4, 2, 1, 5));
        assertEquals(0, equal.table(0).rows().size());
        assertEquals(2, equal.equal());
    }

    @Test
    void shouldCompareBlocksOfCalls() {
        ReportKey key = ReportKey.SITE;
        Report before = process(key, "prog", 1, 0, 5, 5, 5);
        Report after = process(key, "prog", 1, 0, 9, 6, 5);
        Object[] blocks = compared(key, Measure.BLOCKS, true, before, after)
                .table(0)
                .rows()
                .get(0);
        assertArrayEquals(
                new Object[] {5L, 9L, 4L, new Table.Share(0.8), "grew", "<malloc@main+5>"}, blocks);
        Object[] alive = compared(key, Measure.ALIVE, true, before, after)
                .table(0)
                .rows()
                .get(0);
        assertArrayEquals(new Object[] {0L, 72L, 72L, null, "new", "<malloc@main+5>"}, alive);
        assertEquals(
                216L,
                compared(key, Measure.ALLOCATED, true, before, after)
                        .table(0)
                        .rows()
                        .get(0)[1]);
    }

    /** Another build: calls are at other offsets, and the file may have another name. */
    @Test
    void shouldTakeTheCallsOfAFunctionForOne() {
        ReportKey key = ReportKey.SITE;
        Report before = process(key, "old", 1, 0, 5, 0, 5);
        Report after = process(key, "new", 1, 0, 5, 0, 17);
        assertEquals(
                2,
                compared(key, Measure.BLOCKS, true, before, after)
                        .table(0)
                        .rows()
                        .size());
        assertEquals(
                0,
                compared(key, Measure.BLOCKS, false, before, after)
                        .table(0)
                        .rows()
                        .size());
        Object[] function = compared(
                        ReportKey.FUNCTION,
                        Measure.ACCESSES,
                        true,
                        process(ReportKey.FUNCTION, "old", 5, 0, 1, 0, 5),
                        process(ReportKey.FUNCTION, "new", 6, 0, 1, 0, 5))
                .table(0)
                .rows()
                .get(0);
        assertArrayEquals(
                new Object[] {5L, 6L, 1L, new Table.Share(0.2), "grew", "main", "[new]"}, function);
    }

    @Test
    void shouldListBlocksAliveAtTheEnd() {
        Table leaks = LeakTable.of(process(ReportKey.SITE, "prog", 1, 0, 9, 6, 5), 0);
        assertEquals(
                List.of(
                        "share",
                        "alive",
                        "bytes",
                        "blocks",
                        "allocated",
                        "allocation site",
                        "type",
                        "allocated at"),
                leaks.headings());
        assertEquals(1, leaks.rows().size());
        assertArrayEquals(
                new Object[] {new Table.Share(1), 3L, 72L, 9L, 216L, "<malloc@main+5>", null, null},
                leaks.rows().get(0));
        assertArrayEquals(
                new Object[] {new Table.Share(1), 3L, 72L, 9L, 216L, "total", null, null},
                leaks.total());
        assertEquals(
                0,
                LeakTable.of(process(ReportKey.SITE, "prog", 1, 0, 9, 9, 5), 0)
                        .rows()
                        .size());
    }
}
