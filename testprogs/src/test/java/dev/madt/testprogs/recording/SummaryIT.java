package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.AwaitedCall;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what {@code madt run} says in the end, and where its lines may go. */
class SummaryIT {
    private static final int LOOPS = 17;
    private static final int SHOWN = 11;
    private static final int SEGV = 128 + 11;
    private static final int TERM = 128 + 15;

    @TempDir
    Path directory;

    /** Defects are looked for where a program has crashed, in what it accessed. */
    @Test
    void shouldTellACrashFromASignal() throws Exception {
        List<String> crashed = List.of("sh", "-c", "kill -SEGV $$");
        String said = said(SEGV, List.of("run"), crashed);
        assertTrue(said.contains(", complete up to the crash."), said);
        assertTrue(said.contains("next: madt defects t.madt "), said);
        assertTrue(!said(SEGV, List.of("trace"), crashed).contains("madt defects"), "calls alone");
        said = said(TERM, List.of("run"), List.of("sh", "-c", "kill $$"));
        assertTrue(said.contains(", complete up to the signal."), said);
        assertTrue(said.contains("next: madt report t.madt "), said);
        List<String> becomes = List.of("sh", "-c", "exec perl -e 'kill 15, $$; sleep 9'");
        said = said(TERM, List.of("trace", "--time", "none"), becomes);
        assertTrue(said.contains("madt: perl was killed by SIGTERM. Wrote t.madt."), said);
    }

    private String said(int status, List<String> command, List<String> program) throws Exception {
        List<String> words = new ArrayList<>(command);
        words.addAll(
                command.contains("--no-trace")
                        ? List.of("--")
                        : List.of("-f", "-o", "t.madt", "--"));
        words.addAll(program);
        return MadtRun.told(directory, words.toArray(String[]::new))
                .expect(status)
                .errors();
    }

    /** Begins when its only thread waits. */
    @Test
    void shouldSayThatThreadsOnlyWaited() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "100").start();
        try {
            AwaitedCall.in(sleep.pid(), AwaitedCall.CLOCK_NANOSLEEP);
            for (String command : List.of("run", "trace")) {
                String said = MadtRun.told(
                                directory,
                                (command + " -fo t.madt --for 10ms -p " + sleep.pid()).split(" "))
                        .expect(0)
                        .errors();
                assertTrue(
                        said.endsWith("madt: nothing to record happened meanwhile: threads that"
                                + " wait in the kernel make no accesses and no calls. Record for"
                                + " longer, or while they work.\n"),
                        said);
            }
        } finally {
            sleep.destroy();
        }
    }

    /** The code of libraries is recorded, and the summary says that of the program is not. */
    @Test
    void shouldSayOneThingOfAProgramWhoseFileIsGone() throws Exception {
        String program = MadtRun.program("heap.O0").toString();
        String script = "cp \"$0\" p; exec 9<p; rm p; exec /proc/self/fd/9";
        String said = said(0, List.of("run", "--no-hottest"), List.of("sh", "-c", script, program));
        assertTrue(
                said.contains("madt: the code of ")
                        && said.contains("/p (deleted) is not recorded: its file is gone."),
                said);
        assertTrue(said.contains("could not be patched"), said);
        assertFalse(said.contains("untraced"), said);
    }

    /** The shell and a child for each turn. */
    @Test
    void shouldSumUpTheTracesOfManyProcesses() throws Exception {
        MadtRun run = MadtRun.told(
                        directory,
                        "run",
                        "-o",
                        "t.madt",
                        "--",
                        "sh",
                        "-c",
                        "i=0; while [ $i -lt " + LOOPS + " ]; do /bin/true; i=$((i+1)); done")
                .expect(0);
        List<String> lines = run.errors().lines().toList();
        assertEquals(
                SHOWN,
                lines.stream()
                        .filter(line -> line.matches(
                                "madt: wrote t\\.madt\\S*: [0-9,]+ accesses .*, complete"))
                        .count(),
                run.errors());
        assertTrue(
                lines.get(SHOWN)
                        .matches("madt: and " + (1 + LOOPS - SHOWN)
                                + " more traces: [0-9,]+ accesses in them, complete\\."
                                + " madt info of the first trace lists all processes\\."),
                run.errors());
        assertEquals(
                "madt: next: madt report t.madt     madt view t.madt     madt print t.madt | less",
                lines.get(lines.size() - 1));
        String info = MadtRun.madt(directory, "info", "t.madt").expect(0).text();
        assertEquals(
                1 + LOOPS,
                info.lines()
                        .filter(line -> line.matches("  \\d+ .*, t\\.madt\\S*"))
                        .count(),
                info);
    }

    /** The shell does next to nothing; what is worth a look is what perl does. */
    @Test
    void shouldLeadToTheTraceThatHoldsMost() throws Exception {
        String[] command = {"--", "sh", "-c", "perl -e '$s .= $_ for 1..7001'; true"};
        List<String> accesses = told("run", "-o", "a.madt", command);
        String perl = accesses.stream()
                .filter(line -> line.contains("hottest code in "))
                .map(line -> line.replaceFirst(".*hottest code in ([^ :,]+).*", "$1"))
                .findFirst()
                .orElseThrow();
        assertTrue(perl.matches("a\\.madt\\.\\d+(\\.2)?"), perl);
        assertEquals(
                "madt: next: madt report %1$s     madt view %1$s     madt print %1$s | less"
                        .formatted(perl),
                accesses.get(accesses.size() - 1));
        List<String> calls = told("trace", "-o", "c.madt", command);
        String next = calls.get(calls.size() - 1);
        assertTrue(
                next.matches("madt: next: madt report --by call (c\\.madt\\.[0-9.]+) {5}"
                        + "madt timeline --all -o c\\.html c\\.madt {5}"
                        + "madt print --tree \\1 \\| less"),
                next);
    }

    private List<String> told(String command, String option, String trace, String... program)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command, option, trace));
        arguments.addAll(List.of(program));
        return MadtRun.told(directory, arguments.toArray(String[]::new))
                .expect(0)
                .errors()
                .lines()
                .toList();
    }

    @Test
    void shouldWriteLinesToWhatIsNoFile() throws Exception {
        assertEquals(
                "",
                MadtRun.madt(directory, "run", "-q", "--text", "/dev/null", "--", "true")
                        .expect(0)
                        .errors());
    }

    /** Checks that what the recorder counts is what is there; names need all of the trace. */
    @Test
    void shouldTellOfALongTraceWithoutReadingIt() throws Exception {
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        "t.madt",
                        "--",
                        "perl",
                        "-e",
                        "$s .= $_ for 1..70001; print length $s")
                .expect(0);
        List<String> told = MadtRun.madt(directory, "info", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> read = MadtRun.madt(directory, "info", "--verify", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        assertTrue(
                told.stream()
                        .anyMatch(line -> line.startsWith("names ") && line.contains("--verify")),
                told.toString());
        for (String row : List.of(
                "accesses",
                "loads",
                "stores",
                "bulk transfers",
                "allocations",
                "modules",
                "ended",
                "trace is")) {
            assertEquals(row(read, row), row(told, row));
        }
    }

    private static String row(List<String> info, String key) {
        return info.stream()
                .filter(line -> line.startsWith(key + "  "))
                .findFirst()
                .orElseThrow();
    }

    /** A shell and two programs, one of them in two processes. */
    @Test
    void shouldTellOfAllProcessesOfARunTogether() throws Exception {
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        "traces/of/it/",
                        "--",
                        "sh",
                        "-c",
                        "/bin/true; /bin/echo; /bin/true; :")
                .expect(0);
        String folder = "traces/of/it";
        List<String> tree = MadtRun.madt(directory, "info", "--all", folder)
                .expect(0)
                .text()
                .lines()
                .toList();
        assertTrue(
                tree.get(1)
                        .matches(" *[0-9,]+ +[0-9.]+ s  exit 0 +\\d+ sh -c .* "
                                + " \\(\\w+\\.\\d+\\.madt\\)"),
                tree.toString());
        assertEquals(
                3,
                tree.stream()
                        .filter(row -> row.matches(
                                " *[0-9,]+ +[0-9.]+ s  exit 0 +  \\d+ /bin/(true|echo)  \\(.*"))
                        .count(),
                tree.toString());
        long all = number(tree.get(tree.size() - 1).strip().split(" ")[0]);
        for (String key : List.of("module", "process", "symbol", "site", "function")) {
            List<String> rows = MadtRun.madt(
                            directory, "report", "--all", "--by", key, "--format", "csv", folder)
                    .expect(0)
                    .text()
                    .lines()
                    .skip(1)
                    .toList();
            assertEquals(
                    all,
                    rows.stream()
                            .mapToLong(row -> number(row.split(",")[1]) + number(row.split(",")[2]))
                            .sum(),
                    key);
            assertEquals(key.equals("process") ? 4 : rows.size(), rows.size(), rows.toString());
        }
        assertEquals(
                2,
                MadtRun.madt(directory, "report", "--all", "--by", "page", folder)
                        .status());
        shouldConvertAllProcesses(folder, all);
    }

    /** Rows of every process, and a profile of their sums. */
    private void shouldConvertAllProcesses(String folder, long all) throws Exception {
        List<String[]> accesses = MadtRun.madt(directory, "convert", "--all", "--to", "csv", folder)
                .expect(0)
                .text()
                .lines()
                .map(row -> row.split(","))
                .filter(cells -> cells[1].matches("[LS]"))
                .toList();
        assertEquals(all, accesses.size());
        assertEquals(4, accesses.stream().map(cells -> cells[0]).distinct().count());
        String objects = MadtRun.madt(directory, "convert", "--all", "--to", "jsonl", folder)
                .expect(0)
                .text();
        assertEquals(
                accesses.stream().map(cells -> cells[1] + " " + cells[0]).toList(),
                Pattern.compile("\"kind\":\"([LS])\",\"number\":\\d+,\"process\":(\\d+),")
                        .matcher(objects)
                        .results()
                        .map(match -> match.group(1) + " " + match.group(2))
                        .toList());
        String profile = MadtRun.madt(directory, "convert", "--all", "--to", "callgrind", folder)
                .expect(0)
                .text();
        String[] totals = profile.substring(profile.indexOf("\ntotals: ")).split("[ \n]+");
        assertEquals(all, number(totals[2]) + number(totals[3]));
        assertEquals(
                2,
                MadtRun.madt(directory, "convert", "--all", "--to", "massif", folder)
                        .status());
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    /** The first image has no window if it is quick, and the second one has. */
    @Test
    void shouldNotSayThatNothingWasRecordedWhereAnotherImageWas() throws Exception {
        List<String> loops = List.of(
                "sh", "-c", "exec sh -c 'sleep 1; i=0; while [ $i -lt 99 ]; do i=$((i+1)); done'");
        String said = said(0, List.of("run", "--start", "after:100ms"), loops);
        assertFalse(said.contains("nothing was recorded"), said);
        said = said(0, List.of("run", "--start", "after:59m"), List.of("sh", "-c", "exec true"));
        assertEquals(1, said.split("nothing was recorded: after:59m never came").length - 1, said);
    }

    @Test
    void shouldNameTheProcessesOfWhichItKeepsNoTrace() throws Exception {
        String said = said(
                0,
                List.of("run", "--no-trace", "--text", "/dev/null"),
                List.of("sh", "-c", "/bin/true; :"));
        assertTrue(said.matches("(?s).*madt: dash, process [0-9]+: [0-9,]+ accesses .*"), said);
        assertTrue(said.matches("(?s).*madt: true, process [0-9]+: [0-9,]+ accesses .*"), said);
    }
}
