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
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Flame graphs of the calls that led to allocations. */
class BlocksFlameTest {
    private static final long CODE = 0x40_0000;
    private static final long HEAP = 0x10_0000;

    private static void ring(
            ViewFeed feed, RingEventType type, long one, long two, long three, long four, long at) {
        feed.ring(TraceEvent.of(type, 1, 0, one, two, three, four, "", CODE + at));
    }

    private static CallProfile profile() {
        ChainCounts counts = new ChainCounts();
        ViewFeed feed = new ViewFeed(counts);
        feed.define(new Definition.Region(RegionKind.HEAP, 3, HEAP, 2 * HEAP, HEAP, "[heap]"));
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "__libc_start_main"));
        feed.define(new Definition.Symbol(true, CODE + 0x100, 0x100, "main"));
        feed.define(new Definition.Symbol(true, CODE + 0x200, 0x100, "parse"));
        ring(feed, RingEventType.CHAIN_NODE, 1, 0, 0, 0, 0x8);
        ring(feed, RingEventType.CHAIN_NODE, 2, 1, 0, 0, 0x108);
        ring(feed, RingEventType.CHAIN_NODE, 3, 2, 0, 0, 0x208);
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
