package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.Table;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SiteReportTest {
    private static final long CODE = 0x401000;
    private static final AccessSite LOAD =
            new AccessSite(CODE + 7, 3, AccessKind.LOAD, 4, 0, false);

    private final Report report = new Report(ReportKey.SITE, false);
    private final ViewFeed feed = new ViewFeed(report);
    private long number;
    private long epoch;

    private void ring(RingEventType type, long address, long size, long old, long code) {
        feed.ring(TraceEvent.of(type, 1, epoch++, address, size, old, 0, "", code));
    }

    private void load(long address) {
        feed.access(number++, 1, LOAD, false, address);
    }

    @Test
    void shouldCountInheritedBlocksFromTheBeginning() {
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Region(RegionKind.HEAP, 3, 0x5000, 0x9000, 0x5000, "[heap]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "make"));
        BlockTracker parent = new BlockTracker();
        parent.apply(TraceEvent.of(RingEventType.MALLOC, 1, 0, 0x5000, 33, 0, 0, "", CODE + 5));
        parent.apply(TraceEvent.of(RingEventType.MALLOC, 1, 1, 0x6000, 101, 0, 0, "", CODE + 5));
        parent.apply(TraceEvent.of(RingEventType.FREE, 1, 2, 0, 0, 0x6000, 0, "", CODE + 9));
        parent.inheritance().forEach(feed::ring);
        load(0x5000);
        load(0x5004);
        ring(RingEventType.FREE, 0, 0, 0x5000, CODE + 20);
        feed.end(true);
        Object[] site = report.table(0).rows().get(0);
        assertEquals("<malloc@make+5>", site[14]);
        // blocks, allocated, alive, mean and longest life, never accessed
        assertArrayEquals(new Object[] {1L, 33L, 0L, 2L, 2L, 25L}, Arrays.copyOfRange(site, 8, 14));
    }

    @Test
    void shouldTellLivesAndNeverAccessedBytes() {
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Region(RegionKind.HEAP, 3, 0x5000, 0x9000, 0x5000, "[heap]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "make"));
        ring(RingEventType.MALLOC, 0x5000, 33, 0, CODE + 5);
        load(0x5000);
        load(0x5002);
        ring(RingEventType.MALLOC, 0x6000, 101, 0, CODE + 5);
        load(0x6000);
        feed.block(number++, 1, BlockKind.STORE, 0x6010, 0, 11, CODE + 9);
        ring(RingEventType.FREE, 0, 0, 0x5000, CODE + 20);
        load(0x5004);
        load(0x8000);
        feed.end(true);

        Table table = report.table(0);
        assertEquals("<malloc@make+5>", table.rows().get(0)[14]);
        Object[] site = table.rows().get(0);
        // share, loads, stores, bytes, bulk transfers, block bytes, lines, pages
        assertArrayEquals(
                new Object[] {new Table.Share(0.8), 4L, 0L, 16L, 1L, 11L, 2L, 2L},
                Arrays.copyOf(site, 8));
        // blocks, allocated, alive, mean and longest life, never accessed: 33 - 6 and 101 - 4 - 11
        assertArrayEquals(
                new Object[] {2L, 134L, 1L, 4L, 4L, 113L}, Arrays.copyOfRange(site, 8, 14));
        // most bytes alive at a time; the block that ended was not the last one
        assertArrayEquals(new Object[] {134L, 0L}, Arrays.copyOfRange(site, 15, 17));
        assertEquals(1, table.rows().size());
        assertEquals("(no block)", table.rest()[14]);
        assertEquals(1L, table.rest()[1]);
        assertArrayEquals(
                new Object[] {
                    new Table.Share(1),
                    5L,
                    0L,
                    20L,
                    1L,
                    11L,
                    3L,
                    3L,
                    2L,
                    134L,
                    1L,
                    4L,
                    4L,
                    113L,
                    "total",
                    null,
                    0L
                },
                table.total());

        Object[] defect = report.defectTable().rows().get(0);
        assertArrayEquals(
                new Object[] {
                    1L, "load", 4L, "<freed:0001@make+5>", "make+7", "make+5", "make+20", null
                },
                defect);
    }
}
