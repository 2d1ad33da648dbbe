package dev.madt.view.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.ViewFeed;
import dev.madt.view.chains.ChainCounts;
import dev.madt.view.chains.InstrumentStacks;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flame graphs of the calls that led to allocations. */
class BlocksFlameTest {
    private static final long CODE = 0x40_0000;
    private static final long HEAP = 0x10_0000;

    private static void ring(
            ViewFeed feed, RingEventType type, long one, long two, long three, long four, long at) {
        feed.ring(TraceEvent.of(type, 1, 0, one, two, three, four, "", CODE + at));
    }

    /** The program, and the nodes of its first calls. */
    private static void code(ViewFeed feed) {
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "__libc_start_main"));
        feed.define(new Definition.Symbol(true, CODE + 0x100, 0x100, "main"));
        feed.define(new Definition.Symbol(true, CODE + 0x200, 0x100, "parse"));
        ring(feed, RingEventType.CHAIN_NODE, 1, 0, 0, 0, 0x8);
        ring(feed, RingEventType.CHAIN_NODE, 2, 1, 0, 0, 0x108);
        ring(feed, RingEventType.CHAIN_NODE, 3, 2, 0, 0, 0x208);
    }

    private static CallProfile profile() {
        ChainCounts counts = new ChainCounts();
        ViewFeed feed = new ViewFeed(counts);
        feed.define(new Definition.Region(RegionKind.HEAP, 3, HEAP, 2 * HEAP, HEAP, "[heap]"));
        code(feed);
        ring(feed, RingEventType.MALLOC, HEAP, 100, 0, 3, 0x208);
        ring(feed, RingEventType.MALLOC, HEAP + 0x100, 30, 0, 2, 0x108);
        for (int i = 0; i < 4; i++) {
            feed.access(
                    i,
                    1,
                    new AccessSite(CODE + 0x150, 3, AccessKind.STORE, 8, 0, false),
                    true,
                    HEAP + 8L * i);
        }
        ring(feed, RingEventType.FREE, 0, 0, HEAP, 3, 0x208);
        feed.end(true);
        return CallProfile.ofBlocks(counts);
    }

    private static String folded(CallMeasure measure) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FoldedText.write(profile(), measure, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static InstrumentStacks stacks() {
        InstrumentStacks stacks = new InstrumentStacks();
        ViewFeed feed = new ViewFeed(stacks);
        feed.meta(Map.of("instruments", "parse¦stack 2; sum 1 by stack¦\nmain¦sum 1 by stack 2¦"));
        code(feed);
        ring(feed, RingEventType.CHAIN_NODE, 4, 3, 0, 0, 0x210);
        ring(feed, RingEventType.CHAIN_NODE, 5, 4, 0, 0, 0x208);
        ring(feed, RingEventType.CHAIN_NODE, 6, 3, 0, 0, 0x208);
        ring(feed, RingEventType.INSTRUMENT_ROW, 0, 3, 10, 10, 0);
        ring(feed, RingEventType.INSTRUMENT_ROW, 0, 5, 4, 4, 0);
        ring(feed, RingEventType.INSTRUMENT_ROW, 0, 0, 2, 2, 0);
        ring(feed, RingEventType.INSTRUMENT_ROW, 8, 3, 3, 70, 0);
        feed.end(true);
        return stacks;
    }

    private static String folded(String place, CallMeasure measure) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FoldedText.write(CallProfile.ofStacks(stacks().of(place)), measure, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDrawTheCallsThatLedToAnInstrument() throws Exception {
        assertEquals(
                CallProfile.OUTSIDE + " 2\nmain;parse 10\n…;parse;parse;parse 4\n",
                folded("parse", CallMeasure.HITS));
        assertEquals("main;parse 70\n", folded("main", CallMeasure.SUM));
        assertFalse(CallProfile.ofStacks(stacks().of("parse")).has(CallMeasure.SUM));
        assertFalse(CallMeasure.words().contains("hits"));
        assertEquals(List.of("parse", "main"), stacks().places());
        List<Object[]> rows = stacks().table(2).rows();
        assertEquals(10L, rows.get(0)[0]);
        assertEquals("parse+8 ← main+8", rows.get(0)[4].toString());
        assertEquals("parse+8 ← parse+16 ← parse+8 ← …", rows.get(1)[4].toString());
        assertEquals("sum 1 by stack 2", rows.get(2)[2]);
        assertEquals(70L, rows.get(2)[3]);
        assertEquals("?", stacks().table(0).rows().get(2)[4].toString());
    }

    @Test
    void shouldDrawTheCallsThatLedToBlocks() throws Exception {
        assertEquals("main 1\nmain;parse 1\n", folded(CallMeasure.BLOCKS));
        assertEquals("main 30\nmain;parse 100\n", folded(CallMeasure.BYTES));
        assertEquals("main 30\nmain;parse 100\n", folded(CallMeasure.PEAK));
        assertEquals("main;parse 4\n", folded(CallMeasure.LIFETIME));
        assertEquals("main;parse 4\n", folded(CallMeasure.ACCESSES));
        assertTrue(profile().has(CallMeasure.PEAK));
        assertFalse(profile().has(CallMeasure.CALLS));
        assertFalse(new CallProfile().has(CallMeasure.PEAK));
    }
}
