package dev.madt.view.defects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.CallChain;
import dev.madt.view.NamePattern;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two blocks, of 40 bytes at 0x5010 and of 88 bytes at 0x5040, as an allocator with headers of 8
 * bytes places them.
 */
class DefectViewTest {
    private static final long CODE = 0x401000;
    private static final long LIBC = 0x7f0000000000L;
    private static final long FIRST = 0x5010;
    private static final long SECOND = 0x5040;

    private final Map<Long, AccessSite> sites = new HashMap<>();
    private DefectView view;
    private ViewFeed feed;
    private long number;
    private long epoch;

    @BeforeEach
    void begin() {
        begin(Selection.ALL);
    }

    private void begin(Selection selection) {
        begin(selection, CallChain.SiteRule.INNER);
    }

    private void begin(Selection selection, CallChain.SiteRule sites) {
        number = 0;
        epoch = 0;
        view = new DefectView(EnumSet.allOf(DefectKind.class), selection);
        feed = new ViewFeed(view, Demangler.NONE, null, OwnSource.USUAL, sites);
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Region(
                RegionKind.CODE, 5, LIBC, LIBC + 0x1000, LIBC, "[libc.so.6]"));
        feed.define(new Definition.Region(RegionKind.HEAP, 3, 0x5000, 0x9000, 0x5000, "[heap]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "work"));
        feed.define(new Definition.Symbol(true, CODE + 0x100, 0x100, "other"));
        feed.define(new Definition.Symbol(true, LIBC, 0x100, "strlen"));
        ring(RingEventType.RECORD_START, 1, 0, 0, 0, 0);
        ring(RingEventType.MALLOC, 1, FIRST, 40, 0, CODE + 5);
        ring(RingEventType.MALLOC, 1, SECOND, 88, 0, CODE + 6);
    }

    private void ring(
            RingEventType type, int thread, long address, long size, long old, long code) {
        feed.ring(TraceEvent.of(type, thread, epoch++, address, size, old, 0, "", code));
    }

    private void free(long address) {
        ring(RingEventType.FREE, 1, 0, 0, address, CODE + 20);
    }

    private void access(int thread, long code, boolean store, int size, long address) {
        AccessSite site = sites.computeIfAbsent(
                code * 64 + size * 2 + (store ? 1 : 0),
                key -> new AccessSite(
                        code, 3, store ? AccessKind.STORE : AccessKind.LOAD, size, 0, false));
        feed.access(number++, thread, site, store, address);
    }

    private void load(int code, int size, long address) {
        access(1, CODE + code, false, size, address);
    }

    private void store(int code, int size, long address) {
        access(1, CODE + code, true, size, address);
    }

    private void chainNode(int node, int outer, long code) {
        feed.ring(TraceEvent.of(RingEventType.CHAIN_NODE, 1, epoch++, node, outer, 0, 0, "", code));
    }

    /** Everything but what is never freed: kind, doubt, cases, block, offset. */
    private List<String> found() {
        feed.end(true);
        return view.found().sorted().stream()
                .filter(defect -> defect.first.kind() != DefectKind.NEVER_FREED)
                .map(defect -> defect.first.kind().word() + (defect.guess() ? "? " : " ")
                        + defect.count() + " " + defect.block + " " + defect.first.offset())
                .toList();
    }

    @Test
    void shouldCountTheUsesOfAFreedBlock() {
        free(FIRST);
        load(30, 4, FIRST + 8);
        load(30, 4, FIRST + 12);
        store(33, 4, FIRST);
        feed.block(number++, 1, BlockKind.STORE, FIRST, 0, 8, CODE + 50);
        assertEquals(
                List.of(
                        "after-free 2 <freed:0001@work+5> 8",
                        "after-free 1 <freed:0001@work+5> 0",
                        "after-free 1 <freed:0001@work+5> 0"),
                found());
    }

    /** There may be a block between them, and one from before may have grown. */
    @Test
    void shouldTellOfAProcessThatRanBeforeOnlyWhatNoOtherBlockCanBe() {
        feed.meta(Map.of("attached", "yes"));
        ring(RingEventType.MALLOC, 1, 0x6000, 40, 0, 0);
        store(30, 4, FIRST + 40);
        store(31, 4, SECOND - 4);
        store(32, 4, SECOND + 92);
        store(33, 4, SECOND + 96);
        store(34, 4, 0x6000 - 4);
        store(35, 4, 0x6000 + 40);
        assertEquals(
                List.of(
                        "beyond 1 <malloc0001@work+5> 40",
                        "beyond 1 <malloc0002@work+6> 92",
                        "before 1 <malloc0002@work+6> -4"),
                found());
        assertTrue(view.unlooked().startsWith("accesses that miss a block"), view.unlooked());
    }

    @Test
    void shouldTellNothingOfWhatTheProgramWasToldToUse() {
        ring(RingEventType.USABLE, 1, SECOND, 96, 0, 0);
        store(30, 8, SECOND + 84);
        store(31, 8, SECOND + 88);
        feed.block(number++, 1, BlockKind.STORE, SECOND, 0, 96, CODE + 50);
        store(32, 8, SECOND + 92);
        feed.block(number++, 1, BlockKind.STORE, SECOND, 0, 97, CODE + 51);
        assertEquals(
                List.of("beyond 1 <malloc0002@work+6> 92", "beyond 1 <malloc0002@work+6> 0"),
                found());
    }

    /** A vector of strlen begins in the block and ends behind it; memcpy loads what it copies. */
    @Test
    void shouldBelieveTheLoadsOfFunctionsThatCopy() {
        feed.define(new Definition.Symbol(true, LIBC + 0x100, 0x100, "__memcpy_avx_unaligned"));
        feed.define(new Definition.Symbol(true, LIBC + 0x200, 0x100, "__memcpy_ssse3"));
        feed.define(new Definition.Symbol(true, LIBC + 0x300, 0x100, "__memchr_avx2"));
        access(1, LIBC + 8, false, 16, FIRST + 32);
        access(1, LIBC + 0x108, false, 16, FIRST + 24);
        access(1, LIBC + 0x10c, false, 16, FIRST + 25);
        access(1, LIBC + 0x208, false, 16, FIRST + 25);
        access(1, LIBC + 0x308, false, 16, FIRST + 25);
        assertEquals(List.of("beyond 1 <malloc0001@work+5> 25"), found());
    }

    @Test
    void shouldCountTheChainsOfBlocksThatAreNeverFreed() {
        begin(Selection.ALL, chain -> null);
        feed.meta(Map.of("ended", "exit 0"));
        for (int node = 1; node <= 4; node++) {
            chainNode(node, 0, CODE + 0x110 + 2 * node);
            chainNode(node + 4, node, CODE + 0x40);
        }
        long[] chains = {5, 6, 6, 7, 8};
        for (int i = 0; i < chains.length; i++) {
            feed.ring(TraceEvent.of(
                    RingEventType.MALLOC,
                    1,
                    epoch++,
                    0x6000 + 64 * i,
                    24,
                    0,
                    chains[i],
                    "",
                    CODE + 0x40));
        }
        free(0x6000 + 64 * 4);
        feed.end(true);
        Defect told = view.found().sorted().stream()
                .filter(defect -> defect.count() == 4)
                .findFirst()
                .orElseThrow();
        assertEquals(2, told.otherChains());
        assertEquals(1, told.allocatedCalls().size());
    }

    @Test
    void shouldSayWhatTheRecordingLeftOut() {
        feed.meta(Map.of("start", "func:f", "started", "1", "windows", "1,2,func:f,-"));
        store(30, 4, CODE + 0x800);
        feed.end(true);
        assertTrue(view.limits().blind());
        assertEquals(
                "accesses to blocks, of which the trace has none (recorded from func:f)",
                view.limits().text());
        store(30, 4, FIRST);
        feed.meta(Map.of("completeness", "complete but for 3 lost accesses"));
        feed.end(true);
        assertFalse(view.limits().blind());
        assertEquals(
                "what was left out (recorded from func:f; complete but for 3 lost accesses)",
                view.limits().text());
    }

    /** A program may use no heap; and frees are always recorded. */
    @Test
    void shouldCallNothingLeftOutThatCannotBeThere() {
        feed.meta(Map.of("start", "main", "started", "1", "completeness", "complete"));
        store(30, 4, CODE + 0x800);
        feed.end(true);
        assertFalse(view.limits().blind());
        assertEquals("", view.limits().text());
        view = new DefectView(EnumSet.of(DefectKind.DOUBLE_FREE), Selection.ALL);
        new ViewFeed(view).meta(Map.of("start", "main", "started", "0"));
        assertFalse(view.limits().blind());
    }

    @Test
    void shouldTellAWalkIntoAFreedNeighbourAsOneBeyondTheBlockInFront() {
        free(SECOND);
        for (long at = FIRST; at < SECOND + 24; at += 16) {
            store(30, 4, at);
        }
        assertEquals(List.of("beyond 2 <malloc0001@work+5> 48"), found());
        assertEquals(
                "at offset 0 of <freed:0002@work+6> (88 bytes), after its end",
                view.found().sorted().get(0).alternative());
    }

    @Test
    void shouldSayBothWhereTheFunctionUsedTheBlockInFrontOfAFreedOne() {
        free(SECOND);
        load(30, 4, FIRST + 36);
        store(40, 4, SECOND + 4);
        assertEquals(List.of("after-free 1 <freed:0002@work+6> 4"), found());
        assertEquals(
                "16 bytes beyond the end of <malloc0001@work+5> (40 bytes)",
                view.found().sorted().get(0).alternative());
    }

    @Test
    void shouldTellAFreedNodeThatIsStillInAListAsFreed() {
        store(20, 8, FIRST + 8);
        free(SECOND);
        load(30, 8, FIRST + 8);
        load(30, 8, SECOND + 8);
        assertEquals(List.of("after-free 1 <freed:0002@work+6> 8"), found());
    }

    @Test
    void shouldTellAGapByTheBlockThatTheCodeCameFrom() {
        store(30, 8, FIRST + 24);
        store(30, 8, FIRST + 32);
        store(30, 8, FIRST + 40);
        store(40, 8, SECOND + 8);
        store(40, 8, SECOND);
        store(40, 8, SECOND - 8);
        assertEquals(
                List.of("beyond 1 <malloc0001@work+5> 40", "before 1 <malloc0002@work+6> -8"),
                found());
    }

    /** Whoever accesses a heap so far away may mean any block, or is an allocator. */
    @Test
    void shouldTellNoBlockByAnAccessFarInFrontOfIt() {
        view = new DefectView(EnumSet.allOf(DefectKind.class), Selection.ALL);
        feed = new ViewFeed(view);
        feed.define(new Definition.Region(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[prog]"));
        feed.define(new Definition.Region(RegionKind.HEAP, 3, 0x10000, 0x90000, 0x10000, "[heap]"));
        feed.define(new Definition.Symbol(true, CODE, 0x100, "work"));
        ring(RingEventType.RECORD_START, 1, 0, 0, 0, 0);
        ring(RingEventType.MALLOC, 1, 0x80000, 40, 0, CODE + 5);
        store(30, 4, 0x80000 - 0x10008);
        store(31, 4, 0x80000 - 8);
        store(31, 4, 0x80000);
        store(31, 4, 0x80000 - 0x20000);
        assertEquals(List.of("before 2 <malloc0001@work+5> -8"), found());
    }

    @Test
    void shouldTellAnAccessAndATransferOverTheEnd() {
        store(30, 4, FIRST + 38);
        feed.block(number++, 1, BlockKind.STORE, SECOND + 80, 0, 9, CODE + 50);
        feed.block(number++, 1, BlockKind.STORE, SECOND + 80, 0, 8, CODE + 51);
        assertEquals(
                List.of("beyond 1 <malloc0001@work+5> 38", "beyond 1 <malloc0002@work+6> 80"),
                found());
    }

    @Test
    void shouldGuessThatAnEvenWalkWentOnIntoANeighbour() {
        walk(8, 14, 4);
        assertEquals(List.of("neighbour? 1 <malloc0001@work+5> 50"), found());
    }

    /**
     * Checks that who visits two blocks comes to each at the same offset; who walks with small
     * steps meets the gap first, and is sure to have gone on from there.
     */
    @Test
    void shouldNotTakeAVisitForAWalk() {
        walk(4, 16, 4);
        assertEquals(List.of(), found());
        begin();
        walk(24, 8, 4);
        assertEquals(
                List.of("beyond 1 <malloc0001@work+5> 40", "neighbour? 1 <malloc0001@work+5> 48"),
                found());
    }

    private void walk(long from, long stride, int steps) {
        for (int i = 0; i < steps; i++) {
            store(30, 4, FIRST + from + stride * i);
        }
    }

    @Test
    void shouldTellWrongFrees() {
        free(FIRST + 8);
        free(FIRST);
        free(FIRST);
        ring(RingEventType.REALLOC_BEGIN, 1, 0, 0, FIRST, CODE + 21);
        ring(RingEventType.FREE, 1, 0, 0, 0x6000, CODE + 22);
        assertEquals(
                List.of(
                        "double-free 1 <freed:0001@work+5> 0",
                        "invalid-free 1 <malloc0001@work+5> 8",
                        "realloc-freed 1 <freed:0001@work+5> 0",
                        "invalid-free? 1 [heap] 4096"),
                found());
    }

    @Test
    void shouldTellTheFirstLoadOfWhatNobodyHasWritten() {
        store(30, 4, FIRST);
        load(33, 4, FIRST);
        load(36, 4, FIRST + 4);
        load(80, 4, SECOND);
        feed.block(number++, 1, BlockKind.FETCH, SECOND + 40, 0, 8, CODE + 50);
        assertEquals(
                List.of(
                        "uninitialised 1 <malloc0002@work+6> 40",
                        "uninitialised? 1 <malloc0001@work+5> 4",
                        "uninitialised? 1 <malloc0002@work+6> 0"),
                found());
    }

    @Test
    void shouldNotTellCopiesAndBitFields() {
        load(30, 8, FIRST);
        store(33, 8, SECOND);
        load(40, 4, FIRST + 8);
        store(46, 4, FIRST + 8);
        load(50, 8, FIRST + 16);
        load(53, 8, FIRST + 24);
        load(60, 16, FIRST + 16);
        assertEquals(List.of(), found());
    }

    @Test
    void shouldKnowWhatCopiesAndReallocBring() {
        store(30, 8, FIRST);
        feed.block(number++, 1, BlockKind.COPY, SECOND, FIRST, 40, CODE + 50);
        load(33, 8, SECOND);
        load(80, 4, SECOND + 8);
        ring(RingEventType.REALLOC_BEGIN, 1, 0, 0, FIRST, CODE + 21);
        ring(RingEventType.REALLOC_END, 1, 0x6000, 400, FIRST, CODE + 21);
        load(90, 8, 0x6000);
        load(99, 4, 0x6008);
        load(111, 4, 0x6000 + 300);
        assertEquals(
                List.of(
                        "uninitialised? 1 <malloc0002@work+6> 8",
                        "uninitialised? 1 <realloc0003@work+21> 8",
                        "uninitialised? 1 <realloc0003@work+21> 300"),
                found());
    }

    @Test
    void shouldSayNothingOfWhatThreadsShare() {
        load(30, 4, FIRST);
        access(2, CODE + 40, true, 4, FIRST);
        load(80, 4, SECOND);
        assertEquals(List.of("uninitialised? 1 <malloc0002@work+6> 0"), found());
    }

    @Test
    void shouldLetStringFunctionsLookAtWholeVectors() {
        free(SECOND);
        access(1, LIBC + 10, false, 32, FIRST);
        access(1, LIBC + 20, false, 32, FIRST + 32);
        access(1, LIBC + 30, false, 32, FIRST + 64);
        load(30, 1, FIRST + 100);
        assertEquals(List.of("after-free 1 <freed:0002@work+6> 52"), found());
        begin();
        free(SECOND);
        access(1, LIBC + 10, false, 32, SECOND + 32);
        assertEquals(List.of("after-free 1 <freed:0002@work+6> 32"), found());
    }

    @Test
    void shouldTakeAMaskedLoadOfAStringFunctionForOneLoad() {
        AccessSite first = new AccessSite(LIBC + 10, 7, AccessKind.LOAD, 1, 1, false);
        AccessSite element = first;
        for (int i = 1; i <= 50; i++) {
            element = element.nextElement();
            feed.access(number++, 1, element, false, FIRST + i);
        }
        assertEquals(List.of(), found());
        begin();
        feed.access(number++, 1, first.nextElement(), false, SECOND + 90);
        free(FIRST);
        feed.access(number++, 1, first.nextElement(), false, FIRST + 1);
        assertEquals(
                List.of("after-free 1 <freed:0001@work+5> 1", "beyond 1 <malloc0002@work+6> 90"),
                found());
    }

    @Test
    void shouldTellWhatIsNeverFreedByAProcessThatEndsItself() {
        free(SECOND);
        feed.meta(Map.of("ended", "exit 0"));
        feed.end(true);
        assertEquals(
                List.of("<malloc@work+5>"),
                view.found().sorted().stream().map(defect -> defect.block).toList());
        assertTrue(!view.found().anyCertain());
        begin();
        feed.meta(Map.of("ended", "signal SIGKILL"));
        feed.end(true);
        assertEquals(List.of(), view.found().sorted());
    }

    @Test
    void shouldSelectAmongDefectsAndLookAtAllEvents() {
        begin(new Selection(null, new NamePattern("work"), null, -1, -1, 0, -1));
        access(1, CODE + 0x110, true, 4, FIRST);
        load(30, 4, FIRST);
        free(FIRST);
        load(33, 4, FIRST);
        access(1, CODE + 0x120, true, 4, FIRST);
        assertEquals(List.of("after-free 1 <freed:0001@work+5> 0"), found());
    }
}
