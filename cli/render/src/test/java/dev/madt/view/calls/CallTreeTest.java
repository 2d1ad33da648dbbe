package dev.madt.view.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.testing.Tier;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.view.ThreadChoice;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTreeTest {
    private static final long STACK = 0x7fff_0000L;
    private static final int FUNCTIONS = 7;

    private final CallProfile profile = new CallProfile();
    private final CallCounter counter = new CallCounter(profile, Demangler.NONE, ThreadChoice.ALL);
    private long number;
    private long time = 1000;

    private void begin(boolean timed) {
        counter.meta(
                timed
                        ? Map.of("calls", "recorded", "clock_hz", "1000000000", "clock_start", "0")
                        : Map.of("calls", "recorded"));
        counter.define(new Definition.Region(RegionKind.CODE, 5, 0x1000, 0x9000, 0x1000, "[prog]"));
        for (int i = 0; i < FUNCTIONS; i++) {
            counter.define(new Definition.Symbol(true, 0x1000 + 0x100 * i, 0x100, "f" + i));
        }
    }

    private void call(int function, int depth) {
        counter.call(number++, 1, site(function, AccessKind.ENTER), STACK - 16L * depth, time);
    }

    private void leave(int depth) {
        counter.call(number++, 1, site(0, AccessKind.LEAVE), STACK - 16L * depth, time);
    }

    private static AccessSite site(int function, AccessKind kind) {
        return new AccessSite(0x1000 + 0x100L * function, 1, kind, 8, 0, false);
    }

    private void random(Random random, int depth) {
        call(random.nextInt(FUNCTIONS), depth);
        time += random.nextInt(100);
        for (int i = random.nextInt(4); i > 0 && depth < 9; i--) {
            random(random, depth + 1);
            time += random.nextInt(100);
        }
        leave(depth);
        time += random.nextInt(20);
    }

    private static long sum(CallNode node, String name, ToLongFunction<CallNode> count) {
        return (node.name().equals(name) ? count.applyAsLong(node) : 0)
                + node.below().stream()
                        .mapToLong(below -> sum(below, name, count))
                        .sum();
    }

    private static void assertAddsUp(CallNode node) {
        assertEquals(
                node.all(),
                node.self() + node.below().stream().mapToLong(CallNode::all).sum(),
                node.name());
        node.below().forEach(CallTreeTest::assertAddsUp);
    }

    /** Each caller has a part of what the node above it has; what nobody called has the rest. */
    private static void assertCovers(CallNode node) {
        assertTrue(node.all() >= node.below().stream().mapToLong(CallNode::all).sum());
        assertTrue(
                node.calls() >= node.below().stream().mapToLong(CallNode::calls).sum());
        node.below().forEach(CallTreeTest::assertCovers);
    }

    @Test
    void shouldWriteDeepRecursion() {
        int deepest = Tier.of(100_000, 30_000);
        begin(true);
        for (int depth = 0; depth < deepest; depth++) {
            call(depth % 2, depth);
            time++;
        }
        for (int depth = deepest - 1; depth >= 0; depth--) {
            leave(depth);
            time++;
        }
        counter.end(true);
        CallTreeText tree = new CallTreeText(new CallTree(profile), 0)
                .whole()
                .of(profile.functions().stream()
                        .filter(function -> function.name().equals("f1"))
                        .findFirst()
                        .orElseThrow());
        assertTrue(tree.text(false, 100).lines().count() > 2 * deepest);
        assertTrue(tree.csv().lines().count() > 2 * deepest);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldAddUpToTheTable(long seed) {
        begin(true);
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            random(random, 0);
        }
        counter.end(true);
        CallTree tree = new CallTree(profile);
        CallNode whole = tree.whole();
        assertAddsUp(whole);
        for (CallFunction function : tree.functions(name -> true)) {
            CallNode callees = tree.callees(function);
            assertAddsUp(callees);
            assertEquals(function.total(), callees.all(), function.name());
            assertEquals(function.calls(), sum(callees, function.name(), CallNode::calls));
            assertEquals(function.self(), sum(callees, function.name(), CallNode::self));
            assertEquals(function.calls(), sum(whole, function.name(), CallNode::calls));
            CallNode callers = tree.callers(function);
            assertEquals(callees.all(), callers.all());
            assertEquals(callees.calls(), callers.calls());
            assertCovers(callers);
        }
    }

    private void small() {
        call(0, 0);
        time += 100;
        for (int i = 0; i < 3; i++) {
            call(1, 1);
            time += 200;
            call(2, 2);
            time += 97;
            leave(2);
            leave(1);
        }
        call(3, 1);
        time += 2;
        leave(1);
        call(4, 1);
        time += 3;
        leave(1);
        call(2, 1);
        time += 4;
        leave(1);
        leave(0);
        counter.end(true);
    }

    @Test
    void shouldDrawWhoCalledAndWhatWasCalled() {
        begin(true);
        small();
        CallTree tree = new CallTree(profile);
        CallTreeText text =
                new CallTreeText(tree, 0.01).of(tree.functions("f2"::equals).get(0));
        assertEquals(
                """
                Callers of f2:
                  share   total    self  calls  function
                100.0 %  295 ns  295 ns      4  f2
                 98.6 %  291 ns  291 ns      3  ├─ f1
                 98.6 %  291 ns  291 ns      3  │  f0
                  1.4 %    4 ns    4 ns      1  └─ f0

                What f2 called:
                  share   total    self  calls  function
                100.0 %  295 ns  295 ns      4  f2
                """,
                text.text(false, 80));
        assertFalse(text.isCut());
    }

    @Test
    void shouldSayWhatIsLeftOut() {
        begin(true);
        small();
        CallTree tree = new CallTree(profile);
        CallTreeText text = new CallTreeText(tree, 0.01).whole();
        assertEquals(
                """
                  share    total    self  calls  function
                100.0 %  1.00 µs    0 ns      0  all
                100.0 %  1.00 µs  100 ns      1  f0  … 3 more: 0.9 %
                 89.1 %   891 ns  600 ns      3  f1
                 29.1 %   291 ns  291 ns      3  f2
                """,
                text.text(false, 80));
        assertTrue(text.isCut());
        assertEquals(
                """
                tree,depth,share,total_ns,self_ns,calls,function,module
                all,0,1.000000,1000,0,0,all,
                all,1,1.000000,1000,100,1,f0,[prog]
                all,2,0.891000,891,600,3,f1,[prog]
                all,3,0.291000,291,291,3,f2,[prog]
                all,2,0.004000,4,4,1,f2,[prog]
                all,2,0.003000,3,3,1,f4,[prog]
                all,2,0.002000,2,2,1,f3,[prog]
                """,
                new CallTreeText(tree, 0).whole().csv());
        assertTrue(new CallTreeText(tree, 0)
                .whole()
                .json(List.of("t.madt"))
                .contains("{\"tree\": \"all\", \"depth\": 3, \"share\": 0.291000,"
                        + " \"total_ns\": 291, \"self_ns\": 291, \"calls\": 3,"
                        + " \"function\": \"f2\", \"module\": \"[prog]\"}"));
    }

    @Test
    void shouldGoByCallsWithoutTimes() {
        begin(false);
        small();
        assertEquals(
                """
                  share  calls  function
                100.0 %      0  all
                100.0 %      1  f0
                 60.0 %      3  ├─ f1
                 30.0 %      3  │  f2
                 10.0 %      1  ├─ f2
                 10.0 %      1  ├─ f3
                 10.0 %      1  └─ f4
                """,
                new CallTreeText(new CallTree(profile), 0.01).whole().text(false, 80));
    }

    @Test
    void shouldStayWithinTheLine() {
        begin(true);
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            random(random, 0);
        }
        counter.end(true);
        CallTreeText text = new CallTreeText(new CallTree(profile), 0).whole();
        for (int width : new int[] {80, 120}) {
            text.text(false, width)
                    .lines()
                    .forEach(line -> assertTrue(line.length() <= width, line));
        }
        assertTrue(text.isCut());
        CallTreeText wide = new CallTreeText(new CallTree(profile), 0).whole();
        wide.text(false, TextTable.WIDE);
        assertFalse(wide.isCut());
    }
}
