package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Waits for locks, as strace times the system calls in the same run: who waits for a lock waits in
 * {@code futex}, and hardly longer.
 */
class LockWaitsIT {
    /** Units of a counter are as long as the launcher measured them to be. */
    private static final double CLOCK = 0.005;
    /** A loaded machine takes its time between a wake-up and the end of the function. */
    private static final double LOADED = 1.7;

    @TempDir
    Path directory;

    @Test
    void shouldTellHowLongThreadsWaited() throws Exception {
        Path log = directory.resolve("log");
        Recorder recorder = new Recorder(directory).with("--record", "locks");
        List<String> words = new ArrayList<>(
                List.of("strace", "-f", "-T", "-qq", "-e", "signal=none", "-e", "trace=futex"));
        words.addAll(List.of("-o", log.toString(), MadtRun.launcher().toString()));
        words.addAll(recorder.words(List.of(MadtRun.program("locks/waits").toString())));
        List<String> locks =
                MadtRun.command(directory, words).expect(0).text().lines().toList();
        List<FutexWaits.Wait> waits = FutexWaits.of(Files.readAllLines(log));
        String rows = MadtRun.madt(
                        directory,
                        "locks",
                        "--format",
                        "csv",
                        "--columns",
                        "lock,waited",
                        recorder.trace().toString())
                .expect(0)
                .text();
        assertEquals(3, locks.size());
        for (String lock : locks) {
            String[] parts = lock.split(" ");
            long start = Long.decode(parts[1]);
            double expected = waits.stream()
                    .filter(one ->
                            one.word() >= start && one.word() < start + Long.parseLong(parts[2]))
                    .mapToDouble(FutexWaits.Wait::seconds)
                    .sum();
            double found = rows.lines()
                            .filter(row -> row.startsWith(parts[0] + ","))
                            .mapToLong(row -> Long.parseLong(row.split(",")[1]))
                            .sum()
                    / 1e9;
            System.out.println(parts[0] + ": waited " + found + " s, in futex " + expected + " s");
            assertTrue(expected > 0, lock);
            assertTrue(found > (1 - CLOCK) * expected, lock + ": " + found + ", not " + expected);
            assertTrue(found < LOADED * expected, lock + ": " + found + ", not " + expected);
        }
    }
}
