package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stressors of stress-ng, which use memory, signals, processes, threads and system calls in ways
 * that few programs do and verify what they get: the same exit status as without MadT, nothing that
 * MadT has to report, and complete traces that hold all invariants. Several of a kind run in one
 * stress-ng, each as a process of its own, since a start costs more than most of them. In every
 * verification, which would take longest to make the plan of stress-ng, {@link BatteryIT} has a
 * program about each of these things.
 */
@Order(1)
@Soak
class StressNgIT {
    /**
     * Each with the operations after which it ends: few, since a stressor may do thousands of
     * things in one.
     */
    private static final List<String> GROUPS = List.of(
            "brk 5, fault 5, madvise 1, malloc 20, mincore 1, mlock 2",
            "mmapaddr 2, mprotect 3, msync 2, pkey 2, remap 1",
            "munmap 1",
            "shm-sysv 1, stackmmap 2, userfaultfd 2, vm-segv 2, vm-splice 5",
            "alarm 1, itimer 5, kill 5, sigabrt 1, sigchld 2, sigfd 5",
            "sigfpe 3, sigsegv 5, signal 10, signest 2, sigpending 3, sigpipe 3",
            "sigq 5, sigrt 5, sigsuspend 5, sigtrap 3, timer 5, timerfd 5",
            "context 3, daemon 2, nice 2, pidfd 3, pthread 3, ptrace 3",
            "schedpolicy 3, seccomp 2, session 2, switch 20, vfork 3, wait 3, zombie 3",
            "epoll 20, eventfd 5, futex 20, mq 10, msg 10",
            "mutex 1000, nanosleep 2, poll 5, sem-sysv 10",
            "access 2, chmod 2, copy-file 1, dentry 8, dir 4, dup 2",
            "fcntl 3, fifo 50, getdent 2, inotify 1, locka 3, lockf 3",
            "pipe 20, rename 4, seek 5, sendfile 2, splice 5, tee 5, utime 2",
            "sock 3, sockfd 3, sockmany 2, udp 5");

    /** Not all can run everywhere, for want of a right or of a part of the kernel. */
    private static final int LEAST = 60;

    /** stress-ng's status where a stressor did not get what it needs. */
    private static final int NO_RESOURCE = 3;

    private static final Pattern SKIPPED =
            Pattern.compile("skipping the stressor|skipping stressor", Pattern.CASE_INSENSITIVE);

    @TempDir
    Path directory;

    private final Map<String, String> failures = new ConcurrentSkipListMap<>();
    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicLong accesses = new AtomicLong();

    @Test
    void shouldEndAsAloneUnderEngineSplice() throws Exception {
        compareAll("splice", GROUPS);
        assertTrue(ran.get() >= LEAST, ran + " stressors run on this machine");
    }

    @Test
    void shouldEndAsAloneUnderEngineTrap() throws Exception {
        compareAll("trap", GROUPS);
        assertTrue(ran.get() > 0, "no stressor runs on this machine");
    }

    private void compareAll(String engine, List<String> groups) throws Exception {
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        for (String group : groups) {
            workers.execute(() -> {
                try {
                    compare(engine, group);
                } catch (Exception | AssertionError e) {
                    failures.put(group, String.valueOf(e.getMessage()));
                    System.out.printf(
                            "stress-ng %s, engine %s: %s%n", group, engine, e.getMessage());
                }
            });
        }
        workers.shutdown();
        assertTrue(workers.awaitTermination(60, TimeUnit.MINUTES), "a stressor hangs");
        System.out.printf(
                "engine %s: %d stressors of stress-ng end as alone, %,d accesses recorded%n",
                engine, ran.get(), accesses.get());
        assertEquals(Map.of(), failures);
    }

    private void compare(String engine, String group) throws Exception {
        String[] stressors = group.split(", ");
        Path place = Files.createDirectory(
                directory.resolve(engine + "-" + stressors[0].split(" ")[0]));
        List<String> command = new ArrayList<>(
                List.of("stress-ng", "--no-rand-seed", "--timeout", "60", "--verify"));
        for (String stressor : stressors) {
            String[] parts = stressor.split(" ");
            command.addAll(List.of("--" + parts[0], "1", "--" + parts[0] + "-ops", parts[1]));
        }
        MadtRun plain = provided(place, command);
        Path trace = place.resolve("t.madt");
        List<String> traced = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "-o",
                trace.toString(),
                "--"));
        traced.addAll(command);
        MadtRun run = provided(place, traced).expect(plain.status());
        List<String> reported = run.errors()
                .lines()
                .filter(line -> !line.startsWith("stress-ng:"))
                .toList();
        assertEquals(List.of(), reported, "said by others than stress-ng");
        List<Path> traces = traces(place);
        assertTrue(
                !traces.isEmpty(),
                () -> "no trace in " + Arrays.toString(place.toFile().list()));
        for (Path file : traces) {
            accesses.addAndGet(TraceFile.check(file).accesses());
        }
        if (plain.status() == 0) {
            ran.addAndGet(stressors.length
                    - (int) SKIPPED.matcher(plain.errors()).results().count());
        }
    }

    /**
     * Runs a command again while something is wanting, which on a loaded machine may be there a
     * moment later. Stressor mutex ends so as well when its first thread has done all operations
     * before the second is made.
     */
    private static MadtRun provided(Path place, List<String> command) throws Exception {
        MadtRun run = MadtRun.command(place, command);
        for (int again = 0; again < 5 && run.status() == NO_RESOURCE; again++) {
            System.out.printf("%s: %s%n", command, run.errors());
            for (Path trace : traces(place)) {
                Files.delete(trace);
            }
            run = MadtRun.command(place, command);
        }
        return run;
    }

    private static List<Path> traces(Path place) throws Exception {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(path -> path.getFileName().toString().startsWith("t.madt"))
                    .toList();
        }
    }
}
