package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log by which traces are judged is judged by gdb, without MadT: breakpoints at the functions
 * of the C library are hit by the log's library as often as it writes down. gdb and a recording
 * cannot have one process, since both change its text.
 */
class LockLogIT {
    private static final List<String> FUNCTIONS = List.of(
            "pthread_mutex_lock",
            "pthread_mutex_unlock",
            "pthread_cond_wait",
            "pthread_cond_timedwait",
            "pthread_cond_signal",
            "pthread_create",
            "pthread_join");

    private static final Pattern ROW = Pattern.compile("(\\d+) +breakpoint +.*");
    private static final Pattern HITS = Pattern.compile("\\s+breakpoint already hit (\\d+) times?");

    @TempDir
    Path directory;

    /** Returns the words of a breakpoint that the library alone hits, and that never stops. */
    private static List<String> breakpoint(String function) {
        return List.of(
                "-ex",
                "break *real_" + function
                        + " if (unsigned long)logged_main - *(unsigned long *)$rsp"
                        + " + 0x4000 < 0x8000",
                "-ex",
                "ignore $bpnum 100000000");
    }

    /** Returns the hits of each breakpoint, from number 2 on: the first one was for main. */
    private static Map<String, Long> hits(String output) {
        Map<String, Long> hits = new HashMap<>();
        String function = null;
        for (String line : output.lines().toList()) {
            var row = ROW.matcher(line);
            var count = HITS.matcher(line);
            if (row.matches()) {
                function = FUNCTIONS.get(Integer.parseInt(row.group(1)) - 2);
            } else if (count.matches() && function != null) {
                hits.put(function, Long.valueOf(count.group(1)));
            }
        }
        return hits;
    }

    @Test
    void shouldWriteDownWhatGdbCounts() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "gdb is not installed");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/xz")), "xz is not installed");
        Path log = directory.resolve("log");
        Path numbers = NumbersFile.in(directory, Tier.of(2_000_001, 300_001));
        List<String> command = new ArrayList<>(List.of("gdb", "-q", "-nx", "-batch"));
        for (String setting : List.of(
                "set pagination off",
                "set breakpoint pending on",
                "set startup-with-shell off",
                "set environment LD_PRELOAD " + MadtRun.program("liblocklog.so"),
                "set environment LOCK_LOG " + log,
                "set environment LOCK_PROGRAM xz",
                "tbreak logged_main",
                "run")) {
            command.addAll(List.of("-ex", setting));
        }
        FUNCTIONS.forEach(function -> command.addAll(breakpoint(function)));
        command.addAll(List.of("-ex", "continue", "-ex", "info breakpoints", "--args", "xz"));
        command.addAll(List.of("-T4", "-0", "--block-size=256KiB", numbers.toString()));
        MadtRun run = MadtRun.command(directory, command).expect(0);
        List<LockLog.Call> calls = new ArrayList<>();
        LockLog.read(MadtRun.root().resolve("testprogs/lib/locklog.c"), log)
                .calls()
                .values()
                .forEach(calls::addAll);
        Map<String, Long> hits = hits(run.text());
        assertTrue(hits.getOrDefault("pthread_mutex_lock", 0L) > 300, run.text() + run.errors());
        for (String function : FUNCTIONS) {
            assertCounted(calls, function, hits.getOrDefault(function, 0L));
        }
        System.out.println("xz by gdb: " + hits);
    }

    /** The end of the process may come between what the library writes down and what gdb sees. */
    private static void assertCounted(List<LockLog.Call> calls, String function, long hits) {
        List<LockLog.Call> all =
                calls.stream().filter(call -> call.function().equals(function)).toList();
        long certain = all.stream().filter(LockLog.Call::returned).count();
        assertTrue(
                certain <= hits && hits <= all.size(),
                function + ": " + hits + " by gdb, logged " + certain + " to " + all.size());
    }
}
