package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what traces of calls are for: a menu that comes late, a program that hangs or waits. */
class CallCasesIT {
    private static final int KILLED = 128 + 9;
    private static final int LIBRARIES = 5;
    private static final long MILLISECOND = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void shouldSayWhichCallWasNeverLeft() throws Exception {
        Path program = CallProgram.build(directory, "hang.c");
        Path trace = directory.resolve("hang.madt");
        MadtRun.madt(directory, "trace", "-q", "--no-follow", "-o", "" + trace, "--", "" + program)
                .expect(KILLED);
        String report = MadtRun.madt(directory, "report", "--by", "call", "" + trace)
                .expect(0)
                .errors();
        assertTrue(
                Pattern.compile("main;work;hang, entered at [0-9.]+ s, about [0-9.]+ s before\\.")
                        .matcher(report)
                        .find(),
                report);
        String info = MadtRun.madt(directory, "info", "--verify", "" + trace)
                .expect(0)
                .text();
        assertTrue(info.contains("never left") && info.contains("main;work;hang"), info);
        Path json = directory.resolve("hang.json");
        MadtRun.madt(directory, "timeline", "-o", "" + json, "" + trace).expect(0);
        List<String> open = Files.readAllLines(json).stream()
                .filter(line -> line.contains("\"left\":\"never\""))
                .toList();
        assertEquals(3, open.size(), "" + open);
        String text = MadtRun.madt(directory, "timeline", "" + trace).expect(0).text();
        assertTrue(text.contains("was killed by SIGKILL") && text.contains("[main-"), text);
    }

    @Test
    void shouldSayInWhichSystemCallThreadsEnded() throws Exception {
        Path program = CallProgram.build(directory, "ends.c");
        assertEquals(List.of("in_read (system call read)"), endings(program, "read"));
        String drawn = MadtRun.madt(directory, "timeline", "" + directory.resolve("read.madt"))
                .expect(0)
                .text();
        assertTrue(drawn.lines().limit(8).anyMatch(line -> line.contains("w it waited")), drawn);
        assertTrue(
                Pattern.compile("(?m)^[ wpsmWPSM]*[WS] read [WS]")
                        .matcher(drawn)
                        .find(),
                drawn);
        assertEquals(List.of("in_read (system call read)"), endings(program, "again"));
        assertEquals(
                List.of("in_join (system call futex)", "in_lock (system call futex)"),
                endings(program, "thread"));
        assertEquals(List.of("in_read (system call read)"), endings(program, "ended"));
        assertEquals(List.of("in_vfork (system call vfork)"), endings(program, "vfork"));
    }

    /** Calls that have come back, were broken off, or never come back. */
    @Test
    void shouldNotSayThatThreadsEndedInSystemCallsThatWereOver() throws Exception {
        Path program = CallProgram.build(directory, "ends.c");
        assertEquals(List.of("turns"), endings(program, "turns"));
        assertEquals(List.of("turns"), endings(program, "handler"));
        assertEquals(List.of(), endings(program, "exit"));
        assertEquals(List.of(), endings(program, "exec"));
    }

    /** Two runs of a program, with two threads and with three. */
    @Test
    void shouldCountTheCallsOfAllProcesses() throws Exception {
        Path program = CallProgram.build(directory, "threads.c");
        Path trace = directory.resolve("all.madt");
        String both = program + " 2; " + program + " 3";
        MadtRun.madt(
                        directory,
                        "trace",
                        "-q",
                        "--calls",
                        "threads:*",
                        "-o",
                        "" + trace,
                        "--",
                        "sh",
                        "-c",
                        both)
                .expect(0);
        List<String> report = List.of("report", "--by", "call", "--function", "works");
        List<String> asked = new ArrayList<>(report);
        asked.addAll(List.of("--format", "csv", "--columns", "calls", "--all", "" + trace));
        assertEquals(
                "calls\n5\n",
                MadtRun.madt(directory, asked.toArray(String[]::new)).expect(0).text());
        long works = MadtRun.madt(directory, "flame", "--by", "calls", "--all", "" + trace)
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("(.*;)?works \\d+"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".* ", "")))
                .sum();
        assertEquals(2 + 3, works);

        MadtRun none = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "call",
                        "--function",
                        "work",
                        "--all",
                        "" + trace)
                .expect(0);
        assertTrue(
                none.errors()
                        .contains("is in the selection. There is no such function. Did you mean"
                                + " 'works'?"),
                none.errors());
    }

    /** Checks that what was open when the last window closed is not where the process ended. */
    @Test
    void shouldNotSayWhereAProcessEndedThatWasNotRecordedThen() throws Exception {
        Path program = CallProgram.build(directory, "hang.c");
        Path trace = directory.resolve("closed.madt");
        List<String> command =
                new ArrayList<>(List.of("trace", "-q", "--no-follow", "-o", "" + trace));
        command.addAll(List.of("--calls", "hang:*", "--start", "func:work"));
        command.addAll(List.of("--stop", "func:hang", "--", "" + program));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(KILLED);
        MadtRun report =
                MadtRun.madt(directory, "report", "--by", "call", "" + trace).expect(0);
        assertTrue(report.text().contains("work"), report.text());
        assertFalse(report.errors().contains("was in"), report.errors());
        MadtRun lines = MadtRun.madt(directory, "print", "" + trace).expect(0);
        assertFalse(lines.errors().contains("was in"), lines.errors());
        String info = MadtRun.madt(directory, "info", "--verify", "" + trace)
                .expect(0)
                .text();
        assertTrue(info.contains(" still open at the end"), info);
        assertFalse(info.contains("never left"), info);
    }

    /** Returns where the threads of {@code ends.c} were when it was killed. */
    private List<String> endings(Path program, String mode) throws Exception {
        Path trace = directory.resolve(mode + ".madt");
        boolean killed = !mode.startsWith("ex");
        MadtRun.madt(
                        directory,
                        "trace",
                        "-q",
                        "--no-follow",
                        "--calls",
                        "ends:*",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        mode)
                .expect(killed ? KILLED : 0);
        List<String> open = TraceFile.check(trace).endedIn();
        String report = MadtRun.madt(directory, "report", "--by", "call", "" + trace)
                .expect(0)
                .errors();
        List<String> said = Pattern.compile("([^; ]+)( \\(system call (\\w+)\\))?, entered at")
                .matcher(report)
                .results()
                .map(found -> found.group(1) + (found.group(2) == null ? "" : found.group(2)))
                .sorted()
                .toList();
        assertEquals(
                open,
                said.stream()
                        .filter(line -> line.contains("("))
                        .map(line -> line.replaceAll(".* |\\)", ""))
                        .toList());
        String info = MadtRun.madt(directory, "info", "--verify", "" + trace)
                .expect(0)
                .text();
        said.forEach(line -> assertTrue(info.contains(line + ", entered at"), info));
        for (String form : List.of("--tree", "--raw", "--kind=call")) {
            MadtRun lines = MadtRun.madt(directory, "print", form, "" + trace).expect(0);
            said.forEach(line -> assertTrue(
                    lines.errors().contains(line + ", entered at"), form + ": " + lines.errors()));
            assertEquals(said.size(), lines.errors().split(" was in ", -1).length - 1, form);
        }
        MadtRun first = MadtRun.madt(directory, "print", "--count", "2", "" + trace);
        assertFalse(first.expect(0).errors().contains(" was in "), first.errors());
        return said;
    }

    @Test
    void shouldShowWhichLibrariesAKeyLoads() throws Exception {
        Path program = CallProgram.build(directory, "menu.c");
        List<String> libraries = new ArrayList<>();
        for (int i = 1; i <= LIBRARIES; i++) {
            Path code = Files.writeString(
                    directory.resolve("entry" + i + ".c"),
                    String.format(
                            "#include <time.h>%n__attribute__((constructor)) void entry%d_begin"
                                    + "(void) { nanosleep(&(struct timespec){0, %d}, 0); }%n",
                            i, 2 * i * MILLISECOND));
            Path library = directory.resolve("libentry" + i + ".so");
            MadtRun.command(
                            directory,
                            List.of("gcc", "-shared", "-fPIC", "-o", "" + library, "" + code))
                    .expect(0);
            libraries.add("" + library);
        }
        Path trace = directory.resolve("menu.madt");
        String madt = "printf m | \"$0\" trace -q -o \"$@\"";
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", madt, "" + MadtRun.launcher(), "" + trace));
        command.addAll(List.of("--", "" + program));
        command.addAll(libraries);
        List<Long> measured = MadtRun.command(directory, command)
                .expect(0)
                .text()
                .lines()
                .map(Long::parseLong)
                .toList();
        assertEquals(LIBRARIES, measured.size());
        Path json = directory.resolve("menu.json");
        MadtRun.madt(directory, "timeline", "-o", "" + json, "" + trace).expect(0);
        List<Long> took = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String line : Files.readAllLines(json)) {
            if (line.contains("\"ph\":\"B\"")) {
                open.add(line.replaceFirst(".*\"name\":\"([^\"]*)\".*", "$1"));
                String entry = open.get(open.size() - 1);
                if (entry.matches("entry\\d_begin")) {
                    assertEquals("entry" + (took.size() + 1) + "_begin", entry);
                    assertTrue(line.contains("[libentry"), line);
                    assertTrue(dlopens(open).count() == 1, "" + open);
                }
            } else if (line.contains("\"ph\":\"E\"")) {
                String name = open.remove(open.size() - 1);
                if (name.contains("dlopen") && dlopens(open).findAny().isEmpty()) {
                    took.add(Long.parseLong(line.replaceFirst(".*\"ns\":(\\d+),.*", "$1")));
                }
            }
        }
        assertEquals(LIBRARIES, took.size());
        for (int i = 0; i < LIBRARIES; i++) {
            assertTrue(took.get(i) >= 2 * (i + 1) * MILLISECOND, "" + took);
            assertTrue(took.get(i) <= measured.get(i), took + " in " + measured);
        }
    }

    private static Stream<String> dlopens(List<String> open) {
        return open.stream().filter(name -> name.matches("dlopen(@.*)?"));
    }
}
