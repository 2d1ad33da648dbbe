package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares how long threads wait for locks and conditions with strace in the same run: the time in
 * {@code futex} at words of the locks that the trace names. A lock's function takes longer than its
 * system calls, by what strace itself takes: on a quiet machine less than a hundredth where waits
 * are long. So the trace has as much or more, of each thread; how much more is printed.
 */
class LockWaitsOfXzIT {
    private static final int OBJECT_BYTES = 48;
    /** The clocks of strace and of the trace run at rates that differ by less than that. */
    private static final double RATES = 0.002;

    @TempDir
    Path directory;

    /** Holds the waits of a trace, by thread, in seconds, and the objects that are waited for. */
    private static final class Told extends QuietConsumer {
        private final Map<Integer, Long> ticks = new HashMap<>();
        private final TreeSet<Long> objects = new TreeSet<>();
        private double rate;
        private int conditions;

        @Override
        public void meta(Map<String, String> values) {
            String hertz = values.get("clock_hz");
            rate = hertz == null ? rate : Double.parseDouble(hertz);
        }

        @Override
        public void ring(TraceEvent event) {
            if (event instanceof TraceEvent.LockGot got) {
                ticks.merge(event.thread(), got.waited(), Long::sum);
                objects.add(got.lock());
            } else if (event instanceof TraceEvent.LockUndone not) {
                ticks.merge(event.thread(), not.lasted(), Long::sum);
            } else if (event instanceof TraceEvent.ThreadSync sync
                    && EventWord.text(sync.role()).equals("awoke")) {
                objects.add(sync.object());
                conditions++;
            }
        }

        private boolean isObject(long word) {
            Long object = objects.floor(word);
            return object != null && word < object + OBJECT_BYTES;
        }
    }

    /** Returns for how many seconds each thread was in calls that wait for these objects. */
    private static Map<Integer, Double> traced(Path lines, Told told) throws IOException {
        Map<Integer, Double> seconds = new HashMap<>();
        for (FutexWaits.Wait wait : FutexWaits.of(Files.readAllLines(lines))) {
            if (told.ticks.containsKey(wait.thread()) && told.isObject(wait.word())) {
                seconds.merge(wait.thread(), wait.seconds(), Double::sum);
            }
        }
        return seconds;
    }

    @Test
    void shouldWaitAsLongAsInSystemCalls() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/xz")), "xz is not installed");
        Path lines = directory.resolve("calls");
        Recorder recorder = new Recorder(directory).with("--record", "locks", "--no-follow");
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-qq", "-T", "-o"));
        command.addAll(List.of(lines.toString(), "-e", "trace=futex", "-e", "signal=none"));
        command.add(MadtRun.launcher().toString());
        Path numbers = NumbersFile.in(directory, Tier.of(3_000_001, 600_001));
        command.addAll(recorder.words(List.of(
                "xz", "-T4", "-6", "--block-size=" + Tier.of(4, 1) + "MiB", numbers.toString())));
        MadtRun.command(directory, command).expect(0);
        TraceFile.check(recorder.trace());
        Told told = TraceFile.read(recorder.trace(), new Told());
        Map<Integer, Double> traced = traced(lines, told);
        double longer = 0;
        double all = 0;
        for (Map.Entry<Integer, Double> thread : traced.entrySet()) {
            double waited = told.ticks.get(thread.getKey()) / told.rate;
            assertTrue(
                    waited >= thread.getValue() * (1 - RATES),
                    waited + " s of thread " + thread + " " + traced);
            longer += waited - thread.getValue();
            all += thread.getValue();
        }
        assertTrue(told.conditions > 0 && all > 0, traced.toString());
        assertEquals(5, told.ticks.size());
        System.out.printf(
                "waits of xz: %.3f s in futex, %.3f s (%.2f %%) longer by the trace, %d times%n",
                all, longer, 100 * longer / all, told.conditions);
    }
}
