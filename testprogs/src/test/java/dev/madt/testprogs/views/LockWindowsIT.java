package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what views say of locks and races of a recording with a gap between two windows. */
class LockWindowsIT {
    /** Says what opens and closes windows of {@code locks/gaps.c}. */
    static final List<String> WINDOWS =
            List.of("--start", "func:window_opens", "--stop", "func:window_closes");

    @TempDir
    static Path directory;

    private static String trace;

    @BeforeAll
    static void record() throws Exception {
        Recorder recorder = new Recorder(directory)
                .with("--record", "accesses,locks", "--windows", "2")
                .with(WINDOWS.toArray(String[]::new));
        recorder.run(MadtRun.program("locks/gaps").toString()).expect(0);
        trace = recorder.trace().toString();
    }

    private static MadtRun told(String... words) throws Exception {
        String[] all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = trace;
        return MadtRun.madt(directory, all).expect(0);
    }

    /** A lock that was released in the gap, or whose release came behind it, has no time. */
    @Test
    void shouldHoldNoLockOverAGap() throws Exception {
        MadtRun locks =
                told("locks", "--format", "csv", "--columns", "lock,acquisitions,held,unpaired");
        List<String> lines = told("print").text().lines().toList();
        assertEquals(2, count(lines, "K\\$\\d+:first\\+0,.*"));
        assertEquals(1, count(lines, "V\\$\\d+:first\\+0,.*"));
        assertEquals(2, count(lines, "K\\$\\d+:kept\\+0,.*"));
        assertEquals(1, count(lines, "V\\$\\d+:kept\\+0,.*"));
        // one of the first window each, and the release of the one that the worker kept
        List<String> rows = locks.text().lines().toList();
        assertEquals(1, count(rows, "first,2,\\d+,1"), locks.text());
        assertEquals(1, count(rows, "kept,2,\\d+,2"), locks.text());
    }

    private static long count(List<String> lines, String pattern) {
        return lines.stream().filter(line -> line.matches(pattern)).count();
    }

    /** The worker asks for the second lock with none in its hands. */
    @Test
    void shouldFindNoCircleOfLocksThatWereReleasedInAGap() throws Exception {
        MadtRun order = told("locks", "--order", "--columns", "held lock,asked for,circle");
        assertTrue(order.errors().contains("no threads asked for locks in a circle"));
        assertTrue(order.text().contains("second     first"), order.text());
        assertFalse(order.text().contains("first      second"), order.text());
    }

    /** Whatever ordered two windows was not seen; within one, races are told as ever. */
    @Test
    void shouldCallNothingARaceAcrossAGap() throws Exception {
        MadtRun races = told("races", "--columns", "certain,data,what");
        List<String> data = races.text()
                .lines()
                .skip(1)
                .map(row -> row.split(" +")[1])
                .distinct()
                .toList();
        assertTrue(races.text().contains("yes      raced"), races.text());
        assertFalse(data.contains("apart"), races.text());
        assertTrue(races.errors().contains("different windows"), races.errors());
    }

    /** A thread waited for a condition, and another one had a lock, when the window opened. */
    @Test
    void shouldCallNothingARaceThatWaitsFromBeforeTheWindow() throws Exception {
        String races = told("races", "--columns", "certain,data,what").text();
        assertFalse(races.contains("handed"), races);
        assertFalse(races.contains("guarded"), races);
    }

    /** A thread that sleeps as the window opens is recorded from where it wakes. */
    @Test
    void shouldRecordAThreadThatSleptAsTheWindowOpened() throws Exception {
        Path asleep = directory.resolve("asleep.madt");
        Recorder recorder =
                new Recorder(directory).into(asleep).with("--start", "func:window_opens");
        recorder.run(MadtRun.program("locks/asleep").toString()).expect(0);
        List<String> lines = MadtRun.madt(directory, "print", asleep.toString())
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(1000, count(lines, "S\\$\\d+:stored\\+0,.*"));
    }
}
