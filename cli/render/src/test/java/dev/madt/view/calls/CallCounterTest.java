package dev.madt.view.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.Durations;
import dev.madt.view.ThreadChoice;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CallCounterTest {
    private static final long STACK = 0x7fff_0000L;
    private static final int MAIN = 1;
    private static final int OTHER = 2;

    private final CallProfile profile = new CallProfile();
    private final CallCounter counter = counter(profile);
    private long number;

    private static CallCounter counter(CallProfile profile) {
        CallCounter counter = new CallCounter(profile, Demangler.NONE, ThreadChoice.ALL);
        counter.meta(Map.of("calls", "recorded", "clock_hz", "500000000", "clock_start", "1000"));
        counter.define(new Definition.Region(RegionKind.CODE, 5, 0x1000, 0x9000, 0x1000, "[prog]"));
        for (int i = 0; i < 8; i++) {
            counter.define(new Definition.Symbol(true, 0x1000 + 0x100 * i, 0x100, "f" + i));
        }
        return counter;
    }

    private static AccessSite site(int function, AccessKind kind) {
        return new AccessSite(0x1000 + 0x100L * function, 1, kind, 8, 0, false);
    }

    private void enter(int thread, int function, int depth, long time) {
        counter.call(number++, thread, site(function, AccessKind.ENTER), STACK - 16L * depth, time);
    }

    private void leave(int thread, int depth, long time) {
        counter.call(number++, thread, site(0, AccessKind.LEAVE), STACK - 16L * depth, time);
    }

    /** The columns of a row but for share and module. */
    private List<String> rows(boolean paths) {
        Table table = new CallTable(profile, paths).table(name -> true, 0);
        return table.rows().stream()
                .map(row -> Arrays.stream(row)
                        .skip(1)
                        .filter(cell -> !"[prog]".equals(cell))
                        .map(cell -> cell instanceof Table.Time time
                                ? Long.toString(time.nanos())
                                : String.valueOf(cell))
                        .toList()
                        .toString())
                .toList();
    }

    @Test
    void shouldCountCallsAndTimes() {
        enter(MAIN, 1, 0, 1000);
        enter(MAIN, 2, 1, 1010);
        leave(MAIN, 1, 1020);
        enter(MAIN, 2, 1, 1030);
        leave(MAIN, 1, 1060);
        leave(MAIN, 0, 1100);
        counter.end(true);
        assertEquals(
                List.of("[f1, 1, 200, 120, 200, 200, 200, 200]", "[f2, 2, 80, 80, 20, 40, 60, 60]"),
                rows(false));
        assertEquals(List.of("[f1, 1, 200, 120]", "[f1;f2, 2, 80, 80]"), rows(true));
    }

    @Test
    void shouldCountNestedCallsOnce() {
        for (int depth = 0; depth < 3; depth++) {
            enter(MAIN, 1, depth, 1000 + depth);
        }
        enter(OTHER, 1, 5, 1001);
        for (int depth = 2; depth >= 0; depth--) {
            leave(MAIN, depth, 1010 - depth);
        }
        leave(OTHER, 5, 1003);
        counter.end(true);
        assertEquals(List.of("[f1, 4, 24, 24, 4, 13, 20, 20]"), rows(false));
        assertEquals(
                List.of("[f1;f1;f1, 1, 12, 12]", "[f1, 2, 24, 8]", "[f1;f1, 1, 16, 4]"),
                rows(true));
    }

    @Test
    void shouldGiveAccessesToTheInnermostFunction() throws IOException {
        counter.access(number++, MAIN, site(1, AccessKind.LOAD), false, 0x5000);
        enter(MAIN, 1, 0, 1000);
        counter.access(number++, MAIN, site(1, AccessKind.STORE), true, 0x5000);
        enter(MAIN, 2, 1, 1001);
        counter.access(number++, MAIN, site(2, AccessKind.LOAD), false, 0x5000);
        counter.access(number++, MAIN, site(2, AccessKind.LOAD), false, 0x5008);
        leave(MAIN, 1, 1002);
        counter.access(number++, MAIN, site(1, AccessKind.LOAD), false, 0x5000);
        counter.access(number++, OTHER, site(1, AccessKind.LOAD), false, 0x5000);
        leave(MAIN, 0, 1004);
        counter.end(true);
        assertEquals(
                List.of(
                        "[f1, 1, 8, 6, 2, 16]",
                        "[f1;f2, 1, 2, 2, 2, 16]",
                        "[" + CallProfile.OUTSIDE + ", , 0, null, null, 2, 16]"),
                rows(true));
        assertEquals(CallProfile.OUTSIDE + " 2\nf1 2\nf1;f2 2\n", folded(CallMeasure.ACCESSES));
        assertEquals("f1 6\nf1;f2 2\n", folded(CallMeasure.TIME));
    }

    /** A tick has two nanoseconds: f2 waits for 30 of its 50, and is preempted for 5. */
    @Test
    void shouldTellTheTimeOnTheProcessor() throws IOException {
        counter.meta(Map.of("switches", "recorded"));
        assertTrue(profile.has(CallMeasure.ON_CPU));
        enter(MAIN, 1, 0, 1000);
        enter(MAIN, 2, 1, 1010);
        counter.ring(new TraceEvent.OffCpu(MAIN, 0, 1015, 30, 0, 0));
        counter.ring(new TraceEvent.OffCpu(MAIN, 0, 1050, 5, 'h', 0));
        leave(MAIN, 1, 1060);
        leave(MAIN, 0, 1070);
        counter.end(true);
        assertEquals("f1 40\nf1;f2 100\n", folded(CallMeasure.TIME));
        assertEquals("f1 40\nf1;f2 30\n", folded(CallMeasure.ON_CPU));
        assertEquals("f1;f2 70\n", folded(CallMeasure.OFF_CPU));
        CallPath waits = profile.paths().get(2);
        assertEquals(Map.of("waiting", 60L, "preempted", 10L), waits.offCpuParts());
        assertEquals(
                "[[\"" + CallProfile.OUTSIDE + "\",\"\",0],[\"f1\",\"[prog]\",0],"
                        + "[\"f2\",\"[prog]\",0],[\"waiting\",\"\",1],[\"preempted\",\"\",1]]",
                functionsOfThePage());
    }

    private String functionsOfThePage() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextBuffer page = new TextBuffer(out);
        new FlameData(new FlameTree(profile)).write(page);
        page.flush();
        String written = out.toString(StandardCharsets.UTF_8).replace("\n", "");
        int from = written.indexOf("\"functions\":") + "\"functions\":".length();
        return written.substring(from, written.indexOf(",\"paths\""));
    }

    /** Paths that are called first come first, however often others are called. */
    @Test
    void shouldKnowTheOrderOfFirstCalls() {
        enter(MAIN, 1, 0, 1000);
        for (int function : new int[] {4, 2, 4, 3, 2, 4}) {
            enter(MAIN, function, 1, 1010);
            leave(MAIN, 1, 1011);
        }
        leave(MAIN, 0, 1100);
        counter.end(true);
        FlameTree tree = new FlameTree(profile);
        FlameTree.Node first = tree.callees(tree.start()).get(0);
        assertEquals(
                List.of("f4", "f2", "f3"),
                tree.callees(first).stream().map(node -> node.path().last()).toList());
    }

    private String folded(CallMeasure measure) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FoldedText.write(profile, measure, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldTellTogetherWhatHasTooManyPaths() {
        CallProfile small = CallProfile.of(3);
        CallCounter cut = counter(small);
        for (int i = 0; i < 6; i++) {
            cut.call(i, MAIN, site(i, AccessKind.ENTER), STACK - 16L * i, 1000 + i);
        }
        for (int i = 5; i >= 0; i--) {
            cut.call(i, MAIN, site(i, AccessKind.LEAVE), STACK - 16L * i, 1100 - i);
        }
        cut.end(true);
        assertTrue(small.isCut());
        List<CallPath> paths = small.paths();
        assertEquals("f0;f1;f2;(more paths)", paths.get(4).name());
        assertEquals(3, paths.get(4).calls());
        assertEquals(2 * (97 - 3), paths.get(4).total());
        assertEquals(2 * 100, paths.stream().mapToLong(CallPath::self).sum());
    }

    @Test
    void shouldKnowHowDurationsAreSpread() {
        Random random = new Random(17);
        for (int round = 0; round < 200; round++) {
            Durations durations = new Durations();
            long[] values = new long[1 + random.nextInt(300)];
            int bits = 1 + random.nextInt(50);
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextLong() >>> Long.SIZE - bits;
                durations.add(values[i]);
            }
            Arrays.sort(values);
            assertEquals(values[0], durations.least());
            assertEquals(values[values.length - 1], durations.most());
            assertEquals(Arrays.stream(values).sum() / values.length, durations.mean());
            long exact = values[values.length - 1 - values.length / 100];
            long said = durations.percentile(99);
            assertTrue(said >= exact && said <= exact + exact / 32 + 1, said + " for " + exact);
        }
    }
}
