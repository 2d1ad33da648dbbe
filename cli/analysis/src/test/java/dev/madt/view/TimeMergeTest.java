package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeMergeTest {
    private static final int THREADS = 5;
    private static final RecordTemplate CALL = new RecordTemplate(16, new AccessSite[] {
        new AccessSite(0x401000, 4, AccessKind.ENTER, 0, 0, false),
        new AccessSite(0x401000, 4, AccessKind.TIME, 0, 0, false)
    });
    private static final RecordTemplate LOAD = new RecordTemplate(
            17, new AccessSite[] {new AccessSite(0x401010, 4, AccessKind.LOAD, 8, 0, false)});

    /** Writes down what it is told: {@code c} with the time, {@code l}, {@code b}, {@code r}. */
    private static final class Told implements EventConsumer {
        private final List<String> all = new ArrayList<>();

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            all.add(thread + " l " + number);
        }

        @Override
        public void call(long number, int thread, AccessSite site, long stack, long time) {
            all.add(thread + " c " + time);
        }

        @Override
        public void block(
                long number, int thread, BlockKind kind, long to, long from, long length, long at) {
            all.add(thread + " b " + number);
        }

        @Override
        public void ring(TraceEvent event) {
            all.add("0 r " + event.epoch());
        }
    }

    private static void call(EventConsumer to, long number, int thread, long time) {
        to.call(number, thread, CALL, new long[] {0x7000, time}, 0);
    }

    private static void load(EventConsumer to, long number, int thread) {
        to.record(number, thread, LOAD, new long[] {0x5000}, 0);
    }

    @Test
    void shouldGiveWhatFollowsACallAtItsTime() {
        Told told = new Told();
        TimeMerge merge = new TimeMerge(told);
        load(merge, 0, 1);
        call(merge, 1, 1, 10);
        load(merge, 2, 1);
        call(merge, 3, 1, 40);
        load(merge, 4, 1);
        call(merge, 5, 2, 20);
        load(merge, 6, 2);
        merge.block(7, 2, BlockKind.STORE, 0x5000, 0, 16, 0x401020);
        merge.end(true);
        assertEquals(
                List.of("1 l 0", "1 c 10", "1 l 2", "2 c 20", "2 l 6", "2 b 7", "1 c 40", "1 l 4"),
                told.all);
        assertEquals(0, merge.late());
    }

    /** Chunks of threads, each of which makes its calls at times of one clock. */
    private static List<String> give(long seed, EventConsumer to, int chunks, int longest) {
        Random random = new Random(seed);
        List<String> given = new ArrayList<>();
        Told told = new Told();
        long number = 0;
        for (int slice = 0; slice < chunks; slice++) {
            for (int thread = 1; thread <= THREADS; thread++) {
                long time = 1_000_000L * slice + random.nextInt(100);
                for (int i = random.nextInt(longest); i > 0; i--) {
                    boolean call = random.nextInt(3) == 0;
                    time += random.nextInt(100);
                    for (EventConsumer each : List.of(to, told)) {
                        if (call) {
                            call(each, number, thread, time);
                        } else {
                            load(each, number, thread);
                        }
                    }
                    number++;
                }
            }
            TraceEvent event = TraceEvent.of(
                    RingEventType.MALLOC, 1, slice, 0x6000 + 64L * slice, 16, 0, 0, "", 0);
            to.ring(event);
            told.ring(event);
        }
        to.end(true);
        given.addAll(told.all);
        return given;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepTheOrderOfThreadsAndSortTheirCalls(long seed) {
        Told told = new Told();
        TimeMerge merge = new TimeMerge(told);
        List<String> given = give(seed, merge, 20, 400);
        assertEquals(byThread(given), byThread(told.all));
        assertEquals(0, merge.late());
        assertTrue(stepsBack(given) > 20, "the calls were in order already");
        assertEquals(0, stepsBack(told.all));
        assertEquals(slices(given), slices(told.all));
    }

    private static TraceEvent got(int thread, long time) {
        return new TraceEvent.LockGot(
                thread, time, 0x8000, time, 0, EventWord.word("mutex"), 0x401030);
    }

    private static TraceEvent released(int thread, long time) {
        return new TraceEvent.LockReleased(thread, time, 0x8000, time, 1, 0, 0x401040);
    }

    /** The second one's clock is late: it has the lock behind the first release, not the last. */
    @Test
    void shouldGiveALockAsSoonAsItIsReleased() {
        Told told = new Told();
        TimeMerge merge = new TimeMerge(told);
        for (long time : List.of(10L, 30L, 50L)) {
            merge.ring(got(1, time));
            merge.ring(released(1, time + 11));
        }
        merge.ring(got(2, 20));
        merge.ring(released(2, 25));
        merge.end(true);
        assertEquals(
                List.of("0 r 10", "0 r 21", "0 r 20", "0 r 25", "0 r 30", "0 r 41", "0 r 50"),
                told.all.subList(0, 7));
    }

    /** Checks that where too much waits, the order is as good as the window, and it says so. */
    @Test
    void shouldLoseNothingInASmallWindow() {
        Told told = new Told();
        TimeMerge merge = new TimeMerge(told, 61);
        List<String> given = give(4, merge, 20, 400);
        assertEquals(byThread(given), byThread(told.all));
        assertEquals(slices(given), slices(told.all));
        assertTrue(merge.late() > 0);
    }

    private static Map<String, List<String>> byThread(List<String> events) {
        Map<String, List<String>> by = new HashMap<>();
        events.forEach(event -> by.computeIfAbsent(event.split(" ")[0], absent -> new ArrayList<>())
                .add(event));
        return by;
    }

    /** Returns how many events stand in front of each ring event. */
    private static List<Integer> slices(List<String> events) {
        List<Integer> slices = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).startsWith("0 r")) {
                slices.add(i);
            }
        }
        return slices;
    }

    private static int stepsBack(List<String> events) {
        int steps = 0;
        long last = 0;
        for (String event : events) {
            if (event.contains(" c ")) {
                long time = Long.parseLong(event.split(" ")[2]);
                steps += time < last ? 1 : 0;
                last = time;
            }
        }
        return steps;
    }

    /** An analysis that asks for it has batches whose numbers are those of the trace. */
    @Test
    void shouldGiveAnalysesTheNumbersOfTheTrace() {
        List<String> seen = new ArrayList<>();
        Analysis analysis = new Analysis() {
            @Override
            public Needs needs() {
                return Needs.BATCHES.inTime();
            }

            @Override
            public void accesses(Accesses batch) {
                for (int row = 0; row < batch.count(); row++) {
                    seen.add(batch.thread() + " " + (batch.first() + row));
                }
            }
        };
        EventConsumer consumer =
                new Reading(Selection.ALL).add(analysis).consumer(Demangler.NONE, null);
        load(consumer, 0, 1);
        load(consumer, 1, 2);
        load(consumer, 2, 1);
        call(consumer, 3, 2, 5);
        load(consumer, 4, 2);
        load(consumer, 5, 1);
        consumer.end(true);
        assertEquals(List.of("1 0", "1 2", "1 5", "2 1", "2 4"), seen);
    }
}
