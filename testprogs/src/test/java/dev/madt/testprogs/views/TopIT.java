package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code madt top}: what is counted while a program runs is what a report of its trace counts. */
class TopIT {
    private static final Pattern ROW = Pattern.compile(
            "\\s*[\\d.]+ %[ ▏▎▍▌▋▊▉█]*[\\d,]+\\s+([\\d,]+)\\s+([\\d,]+)\\s+(\\S.*)");

    /** A line of {@code stty -g}. */
    private static final Pattern MODE = Pattern.compile("[0-9a-f]{1,4}(:[0-9a-f]{1,8}){30,}");

    private static final String NAMED = MadtRun.program("threads/named").toString();

    @TempDir
    Path directory;

    private MadtRun top(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("env", "COLUMNS=400", MadtRun.launcher().toString(), "top"));
        command.addAll(List.of("--rows", "100000", "--every", "0.2"));
        command.addAll(List.of(arguments));
        return MadtRun.command(directory, command);
    }

    /** Loads and stores of the rows of the last table, in order, without the total. */
    private static List<String> lastRows(String printed) {
        String table = printed.substring(printed.lastIndexOf("madt top: "));
        List<String> rows = new ArrayList<>();
        for (String line : table.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && !row.group(3).equals("total")) {
                rows.add((row.group(1) + ' ' + row.group(2)).replace(",", ""));
            }
        }
        rows.sort(null);
        return rows;
    }

    private List<String> reported(String key, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("report", "--by", key, "--format", "csv"));
        words.addAll(List.of(more));
        List<String> lines = MadtRun.madt(directory, words.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> keys = CsvLine.cells(lines.get(0));
        List<String> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = CsvLine.cells(line);
            String row = cells.get(keys.indexOf("loads")) + ' ' + cells.get(keys.indexOf("stores"));
            if (!row.equals("0 0")) {
                rows.add(row);
            }
        }
        rows.sort(null);
        return rows;
    }

    @ParameterizedTest
    @CsvSource({"data, symbol", "functions, function", "threads, thread"})
    void shouldEndWithWhatAReportSays(String kind, String key) throws Exception {
        MadtRun run = top(
                        "--by",
                        kind,
                        "-f",
                        "-o",
                        "t.madt",
                        "--program-output",
                        "printed",
                        "--",
                        NAMED)
                .expect(0);
        assertEquals(9, Files.readAllLines(directory.resolve("printed")).size());
        List<String> expected = reported(key, "--all", "t.madt");
        assertFalse(expected.isEmpty());
        if (run.text().contains("by samples")) { // on a busy machine
            assertEquals("data", kind);
            assertEquals(sum(expected), sum(lastRows(run.text())));
        } else {
            assertEquals(expected, lastRows(run.text()));
        }
        TraceFile.check(directory.resolve("t.madt"));
    }

    /** All loads and stores of rows. */
    private static long sum(List<String> rows) {
        return rows.stream()
                .flatMap(row -> Stream.of(row.split(" ")))
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Test
    void shouldKeepNoTraceAndPassTheStatusOn() throws Exception {
        MadtRun run = top("--", "sh", "-c", "echo hello; exit 7").expect(7);
        assertTrue(run.text().contains("hello\n"));
        assertTrue(lastRows(run.text()).size() > 10, run.text());
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    /**
     * Nothing keeps what a program does that is faster than it can be counted: functions, threads
     * and sums are exact all the same, and the shares of data nearly.
     */
    @Test
    void shouldCountAFastProgramBySamples() throws Exception {
        String shares = MadtRun.program("threads/shares").toString();
        String rounds = Integer.toString(Tier.of(400_000_000, 30_000_000));
        String printed = top("--program-output", "printed", "--", shares, rounds)
                .expect(0)
                .text();
        Map<String, Long> loads = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("printed"))) {
            String[] words = line.split(" ");
            loads.put(words[0], Long.parseLong(words[1]));
        }
        assertEquals(4, loads.size());
        double all = loads.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(2 * Double.parseDouble(rounds), all);
        assertTrue(printed.contains("by samples"), printed);
        for (Map.Entry<String, Long> array : loads.entrySet()) {
            long found = loads(printed, array.getKey());
            assertEquals(array.getValue() / all, found / all, 0.01, array.getKey());
        }
        printed = top("--by", "functions", "--", shares, rounds).expect(0).text();
        assertEquals((long) all, loads(printed, "load"), printed);
    }

    /** Loads of a row of the last table. */
    private static long loads(String printed, String name) {
        String table = printed.substring(printed.lastIndexOf("madt top: "));
        for (String line : table.lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && row.group(3).split(" ")[0].equals(name)) {
                return Long.parseLong(row.group(1).replace(",", ""));
            }
        }
        throw new AssertionError(name + " is not in " + table);
    }

    @Test
    void shouldCallThreadsByTheirNames() throws Exception {
        String printed = top("--by", "threads", "--", NAMED).expect(0).text();
        assertTrue(printed.contains("  by a friend ("), printed);
    }

    @Test
    void shouldSayWhatItCannotWatch() throws Exception {
        String errors = top("999999999").expect(125).errors();
        assertTrue(errors.contains("no process 999999999"), errors);
        errors = top("--program-output", "out", "1").expect(125).errors();
        assertTrue(errors.contains("--program-output is about a program"), errors);
    }

    /** A process that runs already is counted as its trace from the same moment on has it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAttachToAProcessAndLeaveIt(boolean ends) throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        try {
            talk(cat, "before");
            String pid = Long.toString(cat.pid());
            Process top = watch(ProcessBuilder.Redirect.PIPE, "-o", "cat.madt", pid);
            BufferedReader says = top.errorReader(StandardCharsets.UTF_8);
            String said = says.readLine();
            if (said != null && said.contains("reading the modules")) { // which took long
                said = says.readLine();
            }
            assertTrue(said != null && said.contains("attached to process " + pid), said);
            talk(cat, "meanwhile");
            if (ends) {
                cat.getOutputStream().close();
            } else {
                top.toHandle().destroy(); // by SIGTERM, which the key q sends, too
            }
            String rest = new String(top.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, top.waitFor());
            assertEquals(reported("symbol", "cat.madt"), lastRows(rest));
            if (!ends) {
                talk(cat, "after");
                cat.getOutputStream().close();
            }
            assertEquals(0, cat.waitFor());
        } finally {
            cat.destroy();
        }
    }

    /** A signal may come before the process is attached to, or while it is. */
    @Test
    void shouldEndWhenItIsToLeaveAtOnce() throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        try {
            for (int millis = 0; millis <= 1_000; millis += 250) {
                Process top = watch(ProcessBuilder.Redirect.DISCARD, Long.toString(cat.pid()));
                Thread.sleep(millis);
                top.toHandle().destroy();
                assertTrue(top.waitFor(2, TimeUnit.MINUTES), "after " + millis + " ms");
                talk(cat, "still there");
            }
            cat.getOutputStream().close();
            assertEquals(0, cat.waitFor());
        } finally {
            cat.destroy();
        }
    }

    private static void talk(Process cat, String text) throws Exception {
        byte[] line = (text + " it\n").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 500; i++) {
            cat.getOutputStream().write(line);
            cat.getOutputStream().flush();
            assertArrayEquals(line, cat.getInputStream().readNBytes(line.length));
        }
    }

    /** Starts to watch a process. */
    private Process watch(ProcessBuilder.Redirect errors, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "COLUMNS=400",
                MadtRun.launcher().toString(),
                "top",
                "--rows",
                "100000",
                "--every",
                "0.2"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(errors)
                .start();
    }

    @Test
    void shouldFollowTheTraceOfARecordingThatRuns() throws Exception {
        Path trace = directory.resolve("cat.madt");
        Process recording = new ProcessBuilder(
                        MadtRun.launcher().toString(),
                        "run",
                        "-q",
                        "-o",
                        trace.toString(),
                        "--",
                        "cat")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String pid = awaitPid();
            String errors = top("--stack", pid).expect(125).errors();
            assertTrue(errors.contains("--stack says how to record, and process " + pid), errors);
            Process top = watch(ProcessBuilder.Redirect.INHERIT, pid);
            recording.getOutputStream().write("some text\n".repeat(500).getBytes());
            recording.getOutputStream().flush();
            recording.getInputStream().readNBytes("some text\n".length());
            byte[] first = top.getInputStream().readNBytes("madt top: ".length());
            assertEquals("madt top: ", new String(first, StandardCharsets.UTF_8));
            recording.getOutputStream().close();
            String rest = new String(top.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, top.waitFor());
            recording.getInputStream().readAllBytes();
            assertEquals(0, recording.waitFor());
            assertEquals(reported("symbol", trace.toString()), lastRows("madt top: " + rest));
        } finally {
            recording.destroy();
        }
    }

    private String awaitPid() throws Exception {
        Pattern process = Pattern.compile("  (\\d+) \\S*/cat: ");
        Matcher found;
        do {
            found = process.matcher(MadtRun.madt(directory, "ctl", "status").text());
        } while (!found.find());
        return found.group(1);
    }

    private String inTerminal(String keys, String command) throws Exception {
        String script = "(printf '" + keys + "'; sleep 3) | script -qec \"stty -g; " + command
                + "; echo status \\$?; stty -g\" /dev/null";
        return MadtRun.command(directory, List.of("sh", "-c", script)).expect(0).text();
    }

    /** The terminal is as it was, whoever ends the screen; and what was typed is not shown. */
    @ParameterizedTest
    @CsvSource({"'', 'true', 0", "2q, 'sleep 1000', 143"})
    void shouldLeaveTheTerminalAsItWas(String keys, String program, int status) throws Exception {
        assumeTrue(
                MadtRun.command(directory, List.of("which", "script")).status() == 0, "no script");
        String command = MadtRun.launcher() + " top -- " + program;
        List<String> lines = inTerminal(keys, command)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        List<String> modes = new ArrayList<>(); // what is typed early may stand in front of one
        lines.forEach(line -> modes.addAll(
                MODE.matcher(line).results().map(MatchResult::group).toList()));
        assertEquals(2, modes.size(), lines.toString());
        assertEquals(modes.get(0), modes.get(1));
        assertTrue(lines.contains("status " + status), lines.toString());
        String all = String.join("\n", lines);
        assertEquals(all.indexOf("\033[?1049h"), all.lastIndexOf("\033[?1049h"));
        assertTrue(all.indexOf("\033[?1049l") > all.indexOf("\033[?1049h"), all);
        assertTrue(all.indexOf("\033[?25h") > all.indexOf("\033[?25l"), all);
    }
}
