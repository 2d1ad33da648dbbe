package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code --rate-limit} with a program in which two threads, and those of a child, call one function
 * as often as they can, and another one seldom. It counts what it calls.
 */
@Order(1)
class RateLimitIT {
    /** A seldom call comes behind a fifth of a millisecond at the earliest, in each thread. */
    private static final int RATE = 20_000;

    @TempDir
    Path directory;

    private Path program;
    private Path trace;

    @BeforeEach
    void compile() throws Exception {
        program = CallProgram.build(directory, "calm.c");
        trace = directory.resolve("t.madt");
    }

    private long calls(Path file, String function) throws Exception {
        return MadtRun.madt(directory, "report", "--by", "call", "--format", "csv", "" + file)
                .expect(0)
                .text()
                .lines()
                .map(CsvLine::cells)
                .filter(cells -> cells.get(1).equals(function)) // not who preempted it
                .mapToLong(cells -> Long.parseLong(cells.get(3)))
                .sum();
    }

    @Test
    void shouldLeaveOutOnlyWhatIsCalledTooOften() throws Exception {
        String[] said = MadtRun.madt(
                        directory,
                        "trace",
                        "-qf",
                        "--calls",
                        "calm:*",
                        "--rate-limit",
                        "" + RATE,
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "1500")
                .expect(0)
                .text()
                .split("\\n");
        List<Path> traces = new ArrayList<>(List.of(trace));
        try (var files = Files.list(directory)) {
            files.filter(file -> ("" + file.getFileName()).startsWith("t.madt."))
                    .forEach(traces::add);
        }
        assertEquals(2, traces.size(), "the program's and its child's");
        for (int i = 0; i < 2; i++) {
            String[] counts = said[i].split(" ");
            TraceInvariants checked = TraceFile.check(traces.get(i));
            assertTrue(
                    checked.meta("rate_limited").matches("[0-9]+,calm,busy"),
                    checked.meta("rate_limited"));
            assertEquals(Long.parseLong(counts[1]), calls(traces.get(i), "seldom"), "all of them");
            assertTrue(calls(traces.get(i), "busy") < Long.parseLong(counts[0]), "not all of them");
            assertTrue(!counts[2].equals("e9"), "its code is the file's: " + said[i]);
            assertEquals("e9", counts[3], "a jump");
            assertTrue(checked.meta("completeness").contains("1 function called too often"));
        }
        assertEquals(0, calls(traces.get(1), "busy"), "the child begins with what its parent had");
    }

    /** Each of the launcher's and the target's calls of one name takes some milliseconds. */
    private MadtRun slowed(String call, int millis, String... arguments) throws Exception {
        return tampered(call, "delay_exit=" + millis * 1000, arguments);
    }

    /** The launcher's and the target's calls of one name go as strace(1) is told. */
    private MadtRun tampered(String call, String how, String... arguments) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "no strace");
        List<String> command =
                new ArrayList<>(List.of("strace", "-f", "-qq", "-e", "signal=none", "-e"));
        command.addAll(List.of("trace=" + call, "-e", "inject=" + call + ":" + how));
        command.addAll(List.of("-o", "/dev/null"));
        command.add("" + MadtRun.launcher());
        command.addAll(List.of("trace", "-q", "--rate-limit", "" + RATE, "-o", "" + trace));
        command.addAll(List.of(arguments));
        return MadtRun.command(directory, command).expect(0);
    }

    /**
     * Checks that where the patched text image makes room for the module's own text, the other
     * thread runs on.
     */
    @Test
    void shouldMissNoCallWhileTextIsChanged() throws Exception {
        String said = slowed("mremap", 20, "--calls", "calm:*", "--", "" + program, "1500")
                .text();
        assertTrue(
                TraceFile.check(trace).meta("rate_limited").matches("[0-9]+,calm,busy"),
                () -> "calmed: " + said);
        assertEquals(Long.parseLong(said.split(" ")[1]), calls(trace, "seldom"), "all of them");
    }

    /** The first signal that asks for it does not arrive, as when a fault takes its place. */
    @Test
    void shouldAskAgainWhereTheSignalIsLost() throws Exception {
        String[] said = tampered(
                        "rt_tgsigqueueinfo",
                        "retval=0:when=1",
                        "--calls",
                        "calm:*",
                        "--",
                        "" + program,
                        "5000")
                .text()
                .split(" ");
        assertTrue(calls(trace, "busy") < Long.parseLong(said[0]), "not all of them");
        assertTrue(!said[2].equals("e9"), "its code is the file's: " + List.of(said));
    }

    @Test
    void shouldLeaveChildrenWholeThatAreForkedWhileTextIsChanged() throws Exception {
        Path forks = CallProgram.build(directory, "calm_fork.c");
        String[] options = {"--calls", "calm_fork:bus*", "--calls", "calm_fork:seldom"};
        List<String> arguments = new ArrayList<>(List.of(options));
        int least = Tier.of(20, 2);
        arguments.addAll(List.of("--", "" + forks, "" + least));
        String[] said = slowed("madvise", 150, arguments.toArray(String[]::new))
                .text()
                .strip()
                .split(" ");
        assertTrue(Integer.parseInt(said[0]) >= 3 * least, "children: " + said[0]);
        assertEquals("0", said[1], "children that did not end as they should");
        assertEquals("0", said[2], "functions patched in the end");
        assertEquals(2, TraceFile.check(trace).meta("rate_limited").lines().count());
    }

    /**
     * Before a window, and behind it, no text is touched; the next one leaves the function out. On
     * a busy machine it may take some windows until it is called too often.
     */
    @Test
    void shouldRememberWhatItLeavesOutFromWindowToWindow() throws Exception {
        MadtRun.madt(
                        directory,
                        "trace",
                        "-qf",
                        "--calls",
                        "calm:*",
                        "--rate-limit",
                        "" + RATE,
                        "--start",
                        "after:10ms",
                        "--for",
                        "200ms",
                        "--windows",
                        "8",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "" + Tier.of(4500, 2500))
                .expect(0);
        TraceInvariants checked = TraceFile.check(trace);
        int started = Integer.parseInt(checked.meta("started"));
        assertTrue(started >= 3, () -> "windows: " + started);
        assertTrue(
                checked.meta("rate_limited").endsWith(",calm,busy"), checked.meta("rate_limited"));
        String[] windows = checked.meta("windows").split("\\n");
        int last = windows.length; // in which it calls at all: in the end it waits for its child
        long opened;
        long called = lastCall("seldom");
        do {
            opened = Long.parseLong(windows[--last].split(",")[0]);
        } while (last > 0 && called <= opened);
        assertTrue(last > 0, () -> "no calls behind the first of " + started + " windows");
        assertTrue(lastCall("busy") <= opened, "calls in the last window");
    }

    /** Returns when a function was called last. */
    private long lastCall(String function) throws Exception {
        return MadtRun.madt(
                        directory, "print", "--kind", "call", "--function", function, "" + trace)
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.startsWith("B"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(",t=") + 3)))
                .max()
                .orElseThrow();
    }

    @Test
    void shouldTakeRatesOfCallsAlone() throws Exception {
        for (List<String> options : List.of(
                List.of("--rate-limit", "0"),
                List.of("--rate-limit", "fast"),
                List.of("--rate-limit", "100", "--record", "accesses,calls"))) {
            List<String> command = new ArrayList<>(List.of("trace"));
            command.addAll(options);
            command.addAll(List.of("--", "" + program));
            MadtRun refused =
                    MadtRun.madt(directory, command.toArray(String[]::new)).expect(125);
            assertTrue(refused.errors().contains("--rate-limit"), refused.errors());
        }
    }
}
