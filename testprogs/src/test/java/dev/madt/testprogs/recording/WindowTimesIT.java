package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import dev.madt.trace.event.AccessSite;
import dev.madt.tracker.TraceClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks when windows open and close, and when their first and last events are, between the
 * readings of the time stamp counter that the program makes around what asks for it, and the one
 * that types its keys. How long a loaded machine lets anybody wait is not judged.
 */
class WindowTimesIT {
    private static final long MILLISECOND = 1_000_000;
    /** Times are rounded to nanoseconds, and the kernel's clock may be slowed by a thousandth. */
    private static final long ROUNDING = 2;

    private static final double SLOWED = 0.999;

    @TempDir
    Path directory;

    private Path program;
    private Path trace;
    /** Holds what the program said: time in the trace, and what it was. */
    private final TreeMap<Long, String> moments = new TreeMap<>();
    /** Times of the enters and leaves. */
    private final TreeSet<Long> events = new TreeSet<>();
    /** Each event's time: a leave and the enter behind it may be in one nanosecond. */
    private final List<Long> times = new ArrayList<>();
    /** Begin and end of each window. */
    private final List<long[]> windows = new ArrayList<>();

    @BeforeEach
    void compile() throws Exception {
        program = CallProgram.build(directory, "windows.c");
        trace = directory.resolve("t.madt");
    }

    private List<String> tracing(String options, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("" + MadtRun.launcher(), "trace", "-qf", "-o", "" + trace));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("--", "" + program));
        command.addAll(List.of(arguments));
        return command;
    }

    private void record(List<String> command) throws Exception {
        String said = MadtRun.command(directory, command).expect(0).text();
        TraceInvariants checked = TraceFile.check(trace);
        TraceClock clock = TraceClock.of(Map.of(
                "clock_start", checked.meta("clock_start"), "clock_hz", checked.meta("clock_hz")));
        said.lines()
                .map(line -> line.strip().split(" "))
                .filter(words -> words[0].matches("asked|first|last|back|typed"))
                .forEach(words ->
                        moments.put(clock.time(Long.parseLong(words[words.length - 1])), words[0]));
        for (String line : checked.meta("windows").split("\n")) {
            String[] parts = line.split(",");
            windows.add(new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1])});
        }
        TraceFile.read(trace, new CallTimes(clock));
    }

    /** Takes when functions were entered and left. */
    private final class CallTimes extends QuietConsumer {
        private final TraceClock clock;

        private CallTimes(TraceClock clock) {
            this.clock = clock;
        }

        @Override
        public void call(long number, int thread, AccessSite site, long stack, long time) {
            events.add(clock.time(time));
            times.add(clock.time(time));
        }
    }

    /**
     * Between what the program said last and what it said next the window is to open, its first
     * event to be, its last event to be, and the window to close; null: anywhere.
     */
    private void assertAround(long[] window, String... between) {
        long first = events.ceiling(window[0] - ROUNDING);
        long last = events.floor(window[1] + ROUNDING);
        assertTrue(last <= window[1] + ROUNDING && first <= last, events.toString());
        long[] times = {window[0], first, last, window[1]};
        for (int i = 0; i < times.length; i++) {
            long time = times[i];
            List<String> possible = LongStream.of(-ROUNDING, 0, ROUNDING)
                    .mapToObj(rounding -> around(time + rounding))
                    .toList();
            assertTrue(
                    between[i] == null || possible.contains(between[i]),
                    between[i] + " is none of " + possible);
        }
    }

    /** Returns what the program said last in front of a time, and first behind it. */
    private String around(long time) {
        Entry<Long, String> before = moments.floorEntry(time);
        Entry<Long, String> behind = moments.higherEntry(time);
        return (before == null ? "" : before.getValue()) + "-"
                + (behind == null ? "" : behind.getValue());
    }

    @Test
    void shouldOpenAtTheCallAndCloseAtItsReturn() throws Exception {
        record(tracing("--start func:frame --stop return:frame --windows 3", "rounds", "5"));
        assertEquals(3, windows.size());
        for (long[] window : windows) {
            assertAround(window, "asked-first", "asked-first", "last-back", "last-back");
        }
    }

    @Test
    void shouldOpenWhenTheSignalComes() throws Exception {
        record(tracing("--start signal:USR1 --stop return:frame --windows 3", "signals", "5"));
        assertEquals(3, windows.size());
        for (long[] window : windows) {
            assertAround(window, "asked-first", "asked-first", null, null);
        }
    }

    /** A terminal gives the keys: the window opens behind the one that was typed. */
    @Test
    void shouldOpenWhenTheKeyIsTyped() throws Exception {
        List<String> command =
                new ArrayList<>(List.of("" + CallProgram.build(directory, "typist.c"), "apq"));
        command.addAll(tracing("--start read:p --stop return:frame", "reads"));
        record(command);
        assertEquals(1, windows.size());
        assertEquals(
                2,
                moments.headMap(windows.get(0)[0]).values().stream()
                        .filter("typed"::equals)
                        .count(),
                "behind the second key");
        assertAround(windows.get(0), "typed-first", null, null, "last-back");
    }

    /**
     * Not before the time has passed since the recording began, which is earlier than the program;
     * and until then every call is there.
     */
    @Test
    void shouldRecordAllCallsUntilATime() throws Exception {
        record(tracing("--stop after:1s --calls step", "sleeps", "25"));
        assertEquals(1, windows.size());
        long end = windows.get(0)[1];
        assertTrue(end >= 1000 * MILLISECOND * SLOWED, "too early");
        assertTrue(moments.lastKey() > end, "the program has ended before");
        assertTrue(events.isEmpty() || events.last() <= end + ROUNDING, "behind the end");
        List<Long> firsts = moments.headMap(end).entrySet().stream()
                .filter(moment -> moment.getValue().equals("first"))
                .map(Entry::getKey)
                .toList();
        for (long first : firsts) { // each makes two calls, and each of them an enter and a leave
            long last = moments.higherKey(first);
            long made = times.stream()
                    .filter(time -> time >= first - ROUNDING && time < last + ROUNDING)
                    .count();
            assertTrue(made == 4 || last > end, made + " events of two calls");
        }
    }

    /** Not before the time has passed; and from then on every call is there. */
    @Test
    void shouldRecordAllCallsOfAnInterval() throws Exception {
        record(tracing("--start after:30ms --for 20ms --windows 4 --calls tick", "ticks", "15000"));
        assertEquals(4, windows.size());
        long free = 0;
        for (long[] window : windows) {
            assertTrue(window[0] - free >= 30 * MILLISECOND * SLOWED, "too early");
            assertTrue(window[1] - window[0] >= 20 * MILLISECOND * SLOWED, "too short");
            free = window[1];
            List<Long> called =
                    new ArrayList<>(moments.subMap(window[0], window[1]).keySet());
            List<Long> enters = new ArrayList<>(events.subSet(window[0], window[1]));
            assertTrue(called.size() > 1, "ticks");
            // the last one may have been called when the window closed, and not entered
            for (long call : called.subList(0, called.size() - 1)) {
                long entered = events.ceiling(call - ROUNDING);
                assertTrue(entered <= moments.higherKey(call) + ROUNDING, called + " " + enters);
            }
        }
    }
}
