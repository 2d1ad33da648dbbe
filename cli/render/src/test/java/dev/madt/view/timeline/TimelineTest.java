package dev.madt.view.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.view.NamePattern;
import dev.madt.view.ThreadChoice;
import dev.madt.view.calls.CallProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final int FUNCTIONS = 8;
    private static final int THREADS = 3;
    private static final int STACK_SIZE = 1 << 20;

    /** A call as the test makes it. */
    private record Made(int thread, int depth, int function, long start, long length) {}

    private final Random random = new Random(4711);
    private final Functions functions = new Functions(new CallProfile());
    private final Lanes lanes = new Lanes();
    private final List<Made> made = new ArrayList<>();
    private long number;
    private long time = 1000;

    private TimelineReader reader(TimelineSelection selection, CallSink sink) {
        TimelineReader reader =
                new TimelineReader(selection, functions, lanes, sink, Demangler.NONE);
        reader.meta(Map.of(
                "calls",
                "recorded",
                "clock_hz",
                "1000000000",
                "pid",
                "42",
                "program",
                "/bin/prog"));
        reader.define(new Definition.Region(RegionKind.CODE, 5, 0x1000, 0x9000, 0x1000, "[prog]"));
        for (int i = 0; i < FUNCTIONS; i++) {
            reader.define(new Definition.Symbol(true, 0x1000 + 0x100 * i, 0x100, "f" + i));
        }
        for (int i = 0; i < THREADS; i++) {
            long start = 0x7000_0000L + 2L * i * STACK_SIZE;
            reader.define(new Definition.Region(
                    RegionKind.STACK, 3, start, start + STACK_SIZE, start, "[stack]"));
        }
        return reader;
    }

    private static AccessSite site(int function, AccessKind kind) {
        return new AccessSite(0x1000 + 0x100L * function, 1, kind, 8, 0, false);
    }

    private static long stack(int thread, int depth) {
        return 0x7000_0000L + 2L * thread * STACK_SIZE + STACK_SIZE - 64 - 16L * depth;
    }

    /** Makes random calls in several threads, and notes those that have ended. */
    private void make(TimelineReader reader, int events) {
        List<Deque<Made>> open = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            open.add(new ArrayDeque<>());
        }
        for (int i = 0; i < events; i++) {
            int thread = random.nextInt(THREADS);
            Deque<Made> calls = open.get(thread);
            time += 1 + (random.nextInt(50) == 0 ? random.nextInt(20_000) : random.nextInt(30));
            if (calls.isEmpty() || calls.size() < 12 && random.nextBoolean()) {
                int function = random.nextInt(FUNCTIONS);
                long at = stack(thread, calls.size());
                reader.call(number++, thread + 1, site(function, AccessKind.ENTER), at, time);
                calls.push(new Made(thread, calls.size(), function, time, 0));
            } else {
                leave(reader, calls.pop());
            }
        }
        for (Deque<Made> calls : open) {
            while (!calls.isEmpty()) {
                leave(reader, calls.pop());
            }
        }
        reader.end(true);
    }

    private void leave(TimelineReader reader, Made call) {
        time += 1 + random.nextInt(9);
        long at = stack(call.thread(), call.depth());
        reader.call(number++, call.thread() + 1, site(0, AccessKind.LEAVE), at, time);
        made.add(new Made(
                call.thread(), call.depth(), call.function(), call.start(), time - call.start()));
    }

    private List<Made> drawn(Timeline timeline) {
        List<Made> drawn = new ArrayList<>();
        for (Lane lane : lanes.all()) {
            List<SpanRow> rows = timeline.rows(lane);
            for (int depth = 0; depth < rows.size(); depth++) {
                SpanRow row = rows.get(depth);
                for (int i = 0; i < row.size(); i++) {
                    if (row.count(i) == 1) {
                        String name =
                                timeline.functions().all().get(row.function(i)).name();
                        drawn.add(new Made(
                                lane.thread() - 1,
                                depth,
                                Integer.parseInt(name.substring(1)),
                                row.start(i),
                                row.length(i)));
                    }
                }
            }
        }
        return drawn;
    }

    private static List<Made> sorted(List<Made> calls) {
        return calls.stream()
                .sorted(Comparator.comparing(Made::start)
                        .thenComparing(Made::thread)
                        .thenComparing(Made::depth))
                .toList();
    }

    @Test
    void shouldHaveEveryCallWhereThereIsRoom() {
        Timeline timeline = new Timeline(functions, 100_000);
        make(reader(TimelineSelection.ALL, timeline), 20_000);
        timeline.finish();
        assertEquals(sorted(made), sorted(drawn(timeline)));
        assertEquals(made.size(), timeline.calls());
        assertEquals(0, timeline.least());
        assertEquals(time, timeline.last());
    }

    @Test
    void shouldMergeShortCallsAndKeepLongOnes() {
        Timeline timeline = new Timeline(functions, 1500);
        make(reader(TimelineSelection.ALL, timeline), 60_000);
        timeline.finish();
        List<Made> alone = drawn(timeline);
        assertTrue(alone.size() < 1500 && alone.size() > 300, alone.size() + " are alone");
        assertTrue(made.containsAll(alone));
        for (int f = 0; f < FUNCTIONS; f++) {
            int function = f;
            List<Made> longest = made.stream()
                    .filter(call -> call.function() == function)
                    .sorted(Comparator.comparingLong(call -> -call.length()))
                    .limit(timeline.kept())
                    .toList();
            assertTrue(alone.containsAll(longest), "f" + f);
        }
        for (Made call : made) {
            assertTrue(call.length() < timeline.least() || alone.contains(call), "" + call);
        }
        sums(timeline);
    }

    /** Checks that what is merged is what was made, and lies within what is drawn above it. */
    private void sums(Timeline timeline) {
        long calls = 0;
        for (Lane lane : lanes.all()) {
            List<SpanRow> rows = timeline.rows(lane);
            for (int depth = 0; depth < rows.size(); depth++) {
                SpanRow row = rows.get(depth);
                for (int i = 0; i < row.size(); i++) {
                    Map<String, Long> inside = inside(lane, depth, row, i);
                    assertEquals(inside.get("count"), row.count(i));
                    assertEquals(inside.get("time"), row.length(i));
                    calls += row.count(i);
                    assertTrue(i == 0 || row.end(i - 1) <= row.start(i));
                    if (row.count(i) > 1) {
                        assertEquals(inside.get("longest"), row.detail(i));
                        if (depth > 0) {
                            border(timeline, rows.get(depth - 1), row, i);
                        }
                    }
                }
            }
        }
        assertEquals(made.size(), calls);
    }

    private Map<String, Long> inside(Lane lane, int depth, SpanRow row, int at) {
        Map<String, Long> inside = new HashMap<>();
        made.stream()
                .filter(call -> call.thread() == lane.thread() - 1
                        && call.depth() == depth
                        && call.start() >= row.start(at)
                        && call.start() < row.end(at))
                .forEach(call -> {
                    inside.merge("count", 1L, Long::sum);
                    inside.merge("time", call.length(), Long::sum);
                    inside.merge("longest", call.length(), Math::max);
                });
        return inside;
    }

    /**
     * Checks that what is merged does not reach over an end of a call above it that stays alone.
     */
    private static void border(Timeline timeline, SpanRow above, SpanRow row, int at) {
        for (int i = 0; i < above.size(); i++) {
            boolean alone = above.count(i) == 1 && above.length(i) >= timeline.least();
            boolean apart = above.end(i) <= row.start(at) || above.start(i) >= row.end(at);
            boolean within = above.start(i) <= row.start(at) && above.end(i) >= row.end(at);
            assertTrue(!alone || apart || within);
        }
    }

    @Test
    void shouldSelectByFunctionAndTime() {
        Timeline timeline = new Timeline(functions, 100_000);
        long middle = 50_000;
        TimelineSelection selection = new TimelineSelection(
                new NamePattern("f3"), ThreadChoice.ALL, 0, -1, middle, 10 * middle, -1);
        make(reader(selection, timeline), 5_000);
        timeline.finish();
        List<Made> wanted = made.stream()
                .filter(call -> call.function() == 3
                        && call.start() <= 10 * middle
                        && call.start() + call.length() >= middle)
                .map(call -> new Made(
                        call.thread(),
                        (int) made.stream()
                                .filter(outer -> outer.thread() == call.thread()
                                        && outer.function() == 3
                                        && outer.depth() < call.depth()
                                        && outer.start() <= call.start()
                                        && outer.start() + outer.length() > call.start())
                                .count(),
                        3,
                        call.start(),
                        call.length()))
                .toList();
        assertTrue(wanted.size() > 20, wanted.size() + " calls");
        assertEquals(sorted(wanted), sorted(drawn(timeline)));
        assertTrue(timeline.first() >= middle && timeline.last() <= 10 * middle);
    }

    @Test
    void shouldGiveStacksThatAreOpenAtOnceLanesOfTheirOwn() {
        Timeline timeline = new Timeline(functions, 1000);
        TimelineReader reader = reader(TimelineSelection.ALL, timeline);
        int[] steps = {0, 1, 0, 1, 2, 2};
        boolean[] open = new boolean[THREADS];
        for (int stack : steps) {
            AccessKind kind = open[stack] ? AccessKind.LEAVE : AccessKind.ENTER;
            reader.call(number++, 7, site(stack, kind), stack(stack, 0), time += 10);
            open[stack] ^= true;
        }
        reader.end(true);
        assertEquals(
                List.of("thread 7", "thread 7, stack 2"),
                lanes.all().stream().map(Lane::title).toList());
        SpanRow first = timeline.rows(lanes.all().get(0)).get(0);
        SpanRow second = timeline.rows(lanes.all().get(1)).get(0);
        assertEquals(2, first.size());
        assertEquals(1010, first.start(0));
        assertEquals(1030, first.end(0));
        assertEquals(1050, first.start(1));
        assertEquals(1, second.size());
        assertEquals(1020, second.start(0));
    }

    @Test
    void shouldSayWhatIsNeverLeft() {
        Timeline timeline = new Timeline(functions, 1000);
        TimelineReader reader = reader(TimelineSelection.ALL, timeline);
        reader.call(number++, 7, site(1, AccessKind.ENTER), stack(0, 0), 2000);
        reader.call(number++, 7, site(2, AccessKind.ENTER), stack(0, 1), 2010);
        reader.call(number++, 7, site(3, AccessKind.ENTER), stack(0, 1), 2040);
        reader.end(false);
        List<SpanRow> rows = timeline.rows(lanes.all().get(0));
        assertEquals(Call.Ending.OPEN, rows.get(0).ending(0));
        assertEquals(40, rows.get(0).length(0));
        assertEquals(Call.Ending.UNSEEN, rows.get(1).ending(0));
        assertEquals(30, rows.get(1).length(0));
        assertEquals(Call.Ending.OPEN, rows.get(1).ending(1));
    }

    @Test
    void shouldFindRoundSteps() {
        assertEquals(1, Positions.step(5, 8));
        assertEquals(20, Positions.step(100, 8));
        assertEquals(5_000_000, Positions.step(28_600_000, 8));
        for (int i = 0; i < 1000; i++) {
            long range = 1 + (random.nextLong() >>> 1 + random.nextInt(60));
            long step = Positions.step(range, 8);
            assertTrue(range / step <= 8, range + " by " + step);
        }
    }
}
