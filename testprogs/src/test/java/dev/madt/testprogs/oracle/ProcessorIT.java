package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks what a trace tells of threads without a processor. What a system forbids is no oracle that
 * can be installed: there the test says so, and ends.
 */
class ProcessorIT {
    private static final int NOT_PERMITTED = 77;
    private static final int KILLED = 137;
    /** Nanoseconds: each absence is rounded, and the time of each call. */
    private static final long ROUNDING = 10_000;
    /** Nanoseconds that the program's own clock lets pass, all but what rounding takes. */
    private static final long HOG_WORKS = 290_000_000;

    @TempDir
    Path directory;

    /**
     * The paper's case: one of a decoder's frames is late, since another thread has had its turn.
     */
    @Test
    void shouldNameWhoPreemptedTheCallThatWasLate() throws Exception {
        Path program = CallProgram.build(directory, "decoder.c");
        Path trace = directory.resolve("decoder.madt");
        MadtRun run = MadtRun.madt(
                directory,
                "trace",
                "-q",
                "--no-follow",
                "-o",
                trace.toString(),
                "--",
                program.toString());
        if (run.status() == NOT_PERMITTED) {
            System.out.println("not compared: real-time priorities are not permitted here");
            return;
        }
        run.expect(0);
        TraceInvariants checked = TraceFile.check(trace);
        if (checked.meta("switches").equals("unknown")) {
            System.out.println("not compared: context switches are not told here");
            return;
        }
        List<String> rows = report(trace);
        String[] decodes = rows.stream()
                .filter(row -> row.startsWith("decode_frame,"))
                .findFirst()
                .orElseThrow()
                .split(",");
        assertTrue(Long.parseLong(decodes[2]) >= HOG_WORKS, rows.toString());
        List<String> lines = titles(timeline(trace, "decoder.svg"), "p");
        boolean named = !decodes[3].equals("?"); // with less privilege
        String hog =
                "preempted by " + (named ? "hog" : ".*") + ", .* at .*"; // others, too, may have
        assertTrue(lines.stream().anyMatch(line -> line.matches(hog)), lines.toString());
        long waited = rows.stream()
                .filter(row -> row.startsWith("clock_nanosleep,"))
                .mapToLong(row -> Long.parseLong(row.split(",")[1]))
                .sum();
        assertTrue(waited > 0, rows.toString());
    }

    private List<String> report(Path trace) throws Exception {
        return MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "call",
                        "--sort",
                        "preempted",
                        "--format",
                        "csv",
                        "--columns",
                        "function,waited,preempted,by",
                        trace.toString())
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    /** Holds what each function of {@code waits.c} waits in. */
    private static final Map<String, String> CALLS = Map.of(
            "waits_futex", "futex",
            "waits_read", "read",
            "waits_poll", "poll",
            "rest", "clock_nanosleep",
            "waits_child", "wait4",
            "interrupted", "read",
            "works", "",
            "on_alarm", "");

    @Test
    void shouldNameTheSystemCallInWhichAFunctionWaited() throws Exception {
        Path trace = waits(List.of());
        if (TraceFile.check(trace).meta("switches").equals("unknown")) {
            System.out.println("not compared: context switches are not told here");
            return;
        }
        assertCalls(trace, "waited");
        String page = timeline(trace, "waits.json");
        assertTrue(page.contains("\"waits in futex\""), "no wait in futex");
        assertTrue(page.contains("\"waits in clock_nanosleep\""), "no wait in clock_nanosleep");
        assertFalse(page.contains("in system call"), "more than is asked");
        assertDrawn(trace, "waits in ");
    }

    /** The oracle is the kernel's clock of each thread. */
    @Test
    void shouldTellTimeOnTheProcessorFromAllTime() throws Exception {
        Path trace = directory.resolve("shares.madt");
        List<String> command = new ArrayList<>(List.of("trace", "-q", "-o", "" + trace));
        command.addAll(List.of("--calls", "shares:*", "--no-calls", "had", "--"));
        command.add("" + CallProgram.build(directory, "shares.c"));
        long before = stolen();
        MadtRun run = MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        long stolen = stolen() - before;
        long had = Long.parseLong(run.text().strip());
        TraceInvariants checked = TraceFile.check(trace);
        if (checked.meta("switches").equals("unknown")
                || !checked.meta("switches_lost").equals("0")) {
            System.out.println("not compared: not all context switches are told here");
            return;
        }
        String columns = "function,self,cpu,waited,preempted";
        command = List.of("report", "--by", "call", "--format", "csv", "--columns", columns);
        command = new ArrayList<>(command);
        command.add("" + trace);
        String rows = MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text();
        assertTrue(rows.startsWith("function,self_ns,cpu_ns,waited_ns,preempted_ns\n"), rows);
        long[] computes = times(rows, "computes");
        assertEquals(computes[0], computes[1] + computes[2] + computes[3], rows);
        assertTrue(computes[1] > 0.8 * had, rows + had);
        assertTrue(computes[1] < 1.2 * had + stolen, rows + had + " and " + stolen + " stolen");
        assertTrue(computes[2] + computes[3] > 0.4 * had, rows + had);
        long[] rests = times(rows, "rests");
        assertTrue(rests[1] < rests[0] / 10, rows);
    }

    /**
     * Returns the nanoseconds that a hypervisor has given to others (proc(5), stat): the kernel's
     * clocks of threads do not count them, its records of switches do.
     */
    private static long stolen() throws Exception {
        String[] all = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
        return Long.parseLong(all[8]) * 10_000_000;
    }

    /** The time of a call that never ends is known as far as that in which it waited. */
    @Test
    void shouldCountWhatWaitsToTheEnd() throws Exception {
        Path trace = directory.resolve("waits.madt");
        List<String> command = new ArrayList<>(List.of("trace", "-q", "-o", "" + trace));
        command.addAll(List.of("--", "sh", "-c", "(sleep 1; kill -9 $$) & read line"));
        assertEquals(
                KILLED,
                new ProcessBuilder(withLauncher(command))
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .start()
                        .waitFor());
        TraceInvariants checked = TraceFile.check(trace);
        if (checked.meta("switches").equals("unknown")
                || !checked.meta("switches_lost").equals("0")) {
            System.out.println("not compared: not all context switches are told here");
            return;
        }
        String columns = "function,self,cpu,waited,preempted,in";
        List<String> report = List.of("report", "--by", "call", "--all", "--format", "csv");
        report = new ArrayList<>(report);
        report.addAll(List.of("--columns", columns, "" + trace));
        String rows =
                MadtRun.madt(directory, report.toArray(String[]::new)).expect(0).text();
        List<String> all = rows.lines().skip(1).toList();
        assertTrue(all.stream().anyMatch(row -> row.endsWith(",read")), rows);
        for (String row : all) {
            String[] cells = row.split(",");
            long offCpu = Long.parseLong(cells[3]) + Long.parseLong(cells[4]);
            assertTrue(offCpu <= Long.parseLong(cells[1]) + ROUNDING, row);
        }
    }

    private static List<String> withLauncher(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("" + MadtRun.launcher()));
        whole.addAll(command);
        return whole;
    }

    private static long[] times(String rows, String function) {
        return rows.lines()
                .filter(line -> line.startsWith(function + ","))
                .flatMap(line -> Stream.of(line.split(",")).skip(1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Checks that where nobody tells of context switches it is known how long a call took. */
    @Test
    void shouldNameTheSystemCallInWhichAFunctionWasForLong() throws Exception {
        Path unwatched = CallProgram.build(directory, "unwatched.c");
        Path trace = waits(List.of(unwatched.toString()));
        assertEquals("unknown", TraceFile.check(trace).meta("switches"));
        assertCalls(trace, "syscalls");
        String page = timeline(trace, "waits.json");
        assertTrue(page.contains("\"in system call futex\""), "none in futex");
        assertFalse(page.contains("waits in"), "nobody knows whether it waited");
        assertDrawn(trace, "in system call ");
    }

    /** The trace of {@code waits.c}, recorded by way of a program. */
    private Path waits(List<String> by) throws Exception {
        Path trace = directory.resolve("waits.madt");
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                MadtRun.launcher().toString(),
                "trace",
                "-q",
                "--no-follow",
                "--calls",
                "waits:*",
                "-o",
                trace.toString(),
                "--",
                CallProgram.build(directory, "waits.c").toString()));
        assertEquals(
                "6 signals",
                MadtRun.command(directory, command).expect(0).text().strip());
        return trace;
    }

    private void assertCalls(Path trace, String column) throws Exception {
        String rows = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "call",
                        "--format",
                        "csv",
                        "--columns",
                        "function,self,in," + column,
                        trace.toString())
                .expect(0)
                .text();
        for (Map.Entry<String, String> call : CALLS.entrySet()) {
            String[] row = rows.lines()
                    .filter(line -> line.startsWith(call.getKey() + ","))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(call + " in " + rows))
                    .split(",");
            assertEquals(call.getValue(), row[2], rows);
            boolean mostly = 2 * Long.parseLong(row[3]) > Long.parseLong(row[1]);
            assertEquals(!call.getValue().isEmpty(), mostly, rows);
        }
    }

    /** In the picture each time off the CPU is pale, and a line above it says why. */
    private void assertDrawn(Path trace, String why) throws Exception {
        String picture = timeline(trace, "waits.svg");
        List<String> said = titles(picture, "[np]");
        for (String call : CALLS.values()) {
            String title = why + call + ", [0-9.,]+ [mµn]?s at .*";
            assertTrue(
                    call.isEmpty() || said.stream().anyMatch(line -> line.matches(title)),
                    said + call);
        }
        assertEquals(said.size(), picture.split("<rect class=\"z\"", -1).length - 1);
        assertTrue(picture.contains("pale: the thread "), "no key");
    }

    private static List<String> titles(String picture, String kind) {
        return Pattern.compile("<rect class=\"" + kind + "\"[^>]*><title>(.*)</title>")
                .matcher(picture)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private String timeline(Path trace, String name) throws Exception {
        Path file = directory.resolve(name);
        MadtRun.madt(directory, "timeline", "-o", "" + file, "" + trace).expect(0);
        return Files.readString(file);
    }

    /** The kernel's last record of a thread may come when its number is no longer known. */
    @Test
    void shouldKnowWhichThreadsHadNoProcessor() throws Exception {
        Path program = CallProgram.build(directory, "brief.c");
        Path trace = directory.resolve("brief.madt");
        MadtRun.madt(directory, "trace", "-q", "-o", "" + trace, "--", "" + program)
                .expect(0);
        Path json = directory.resolve("brief.json");
        MadtRun.madt(directory, "timeline", "-o", "" + json, "" + trace).expect(0);
        String events = Files.readString(json);
        assertTrue(events.contains("\"start_thread\""), "no thread");
        assertFalse(events.contains("4294967295"), "a thread without a number");
    }
}
