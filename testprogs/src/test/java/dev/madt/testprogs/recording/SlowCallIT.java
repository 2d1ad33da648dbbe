package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code --stop return:frame>40ms} with a program of which every seventh call of it takes 60 ms,
 * and the others 1 ms, if nothing delays them; it says how long each took.
 */
class SlowCallIT {
    /** Ten a second; none is needed when it is written at once. */
    private static final int LOOKS = 600;

    private static final long MOST = 40_000_000;
    private static final int CALLS = 20;
    private static final int SLOW = 7;

    @TempDir
    Path directory;

    private Path program;
    private Path trace;

    @BeforeEach
    void compile() throws Exception {
        program = CallProgram.build(directory, "slow.c");
        trace = directory.resolve("slow.madt");
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    @Test
    void shouldEndWithTheFirstCallThatTakesLonger() throws Exception {
        for (String kinds : List.of("calls", "accesses,calls")) {
            MadtRun run = MadtRun.madt(
                            directory,
                            "trace",
                            "-f",
                            "--record",
                            kinds,
                            "--stop",
                            "return:frame>40ms",
                            "-o",
                            "" + trace,
                            "--",
                            "" + program,
                            "" + CALLS)
                    .expect(0);
            long[][] took = run.text()
                    .lines()
                    .map(line -> List.of(line.split(" ")).stream()
                            .mapToLong(Long::parseLong)
                            .toArray())
                    .toArray(long[][]::new);
            assertEquals(CALLS, took.length);
            shouldHold(took);
            assertTrue(run.errors().contains("frame took "), run.errors());
        }
    }

    /** @param took how long each call took, from within and around it */
    private void shouldHold(long[][] took) throws Exception {
        TraceInvariants checked = TraceFile.check(trace);
        List<String> calls = madt("print", "--kind", "call", "--function", "frame", "" + trace);
        List<String> left = calls.stream().filter(line -> line.startsWith("X")).toList();
        int last = left.size();
        assertTrue(last > 0 && last <= SLOW, "the seventh at the latest, not " + last);
        assertEquals(2 * last, calls.size(), "nothing behind it: " + calls);
        assertTrue(took[last - 1][1] > MOST, "call " + last);
        for (int i = 0; i < last - 1; i++) {
            assertTrue(took[i][0] <= MOST, "call " + (i + 1));
        }
        String row = madt(
                        "report",
                        "--by",
                        "call",
                        "--sort",
                        "max",
                        "--function",
                        "frame",
                        "" + trace)
                .get(1);
        assertTrue(row.contains("frame"), row);
        String[] window = checked.meta("windows").split(",");
        assertEquals("main", window[2]);
        assertEquals("return:frame>40ms", window[3]);
        // what the other thread did until then is there, and nothing that it did later
        long end = Long.parseLong(window[1]);
        long[] entered = madt("print", "--function", "other", "" + trace).stream()
                .filter(line -> line.startsWith("B"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*,t=", "")))
                .toArray();
        assertTrue(entered.length > 1, "the other thread");
        for (long time : entered) {
            assertTrue(time <= end, time + " behind " + end);
        }
    }

    /** Each window ends with the first call in it that takes longer, and has no other. */
    @Test
    void shouldEndSeveralWindows() throws Exception {
        MadtRun.madt(
                        directory,
                        "trace",
                        "-qf",
                        "--start",
                        "func:frame",
                        "--stop",
                        "return:frame>40ms",
                        "--windows",
                        "2",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "" + 20 * SLOW)
                .expect(0);
        String[] windows = TraceFile.check(trace).meta("windows").split("\n");
        assertEquals(2, windows.length, String.join(" ", windows));
        List<String> frames = madt("print", "--kind", "call", "--function", "frame", "" + trace);
        long before = 0;
        for (String window : windows) {
            String[] parts = window.split(",");
            long opened = Long.parseLong(parts[0]);
            long closed = Long.parseLong(parts[1]);
            assertEquals("func:frame", parts[2]);
            assertEquals("return:frame>40ms", parts[3]);
            assertTrue(before <= opened && opened < closed, window);
            before = closed;
            long entered = 0;
            int slow = 0;
            for (int i = 0; i + 1 < frames.size(); i += 2) {
                entered = Long.parseLong(frames.get(i).replaceFirst(".*,t=", ""));
                long took = Long.parseLong(frames.get(i + 1).split(",")[1]);
                boolean within = entered >= opened && entered < closed;
                slow += within && took > MOST ? 1 : 0;
                assertTrue(!within || took <= MOST || entered + took <= closed + 1000, window);
            }
            assertEquals(1, slow, window + " " + frames);
        }
        assertTrue(frames.size() % 2 == 0, "each call is left in its window: " + frames);
    }

    /** The trace is written when the window closes, and the program goes on. */
    @Test
    void shouldBeWrittenWhileTheProgramGoesOn() throws Exception {
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(
                        "" + MadtRun.launcher(),
                        "trace",
                        "-f",
                        "--log",
                        "" + log,
                        "--last",
                        "64K",
                        "--stop",
                        "return:frame>40ms",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "" + CALLS,
                        "wait")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<String> left = new ArrayList<>();
            for (int i = 0; i < LOOKS && process.isAlive() && left.isEmpty(); i++) {
                Thread.sleep(100);
                if (Files.exists(trace) && Files.readString(log).contains("frame took ")) {
                    MadtRun.madt(directory, "print", "--function", "frame", "" + trace)
                            .text()
                            .lines()
                            .filter(line -> line.startsWith("X"))
                            .forEach(left::add);
                }
            }
            assertTrue(process.isAlive(), "the program waits");
            long longest = left.stream()
                    .mapToLong(line -> Long.parseLong(line.split(",")[1]))
                    .max()
                    .orElse(0);
            assertTrue(longest > MOST, left.toString());
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.waitFor();
        }
        TraceInvariants checked = TraceFile.check(trace);
        assertEquals("return:frame>40ms", checked.meta("windows").split(",")[3]);
    }

    @Test
    void shouldNeedTimesAndAnEnd() throws Exception {
        for (List<String> options : List.of(
                List.of("trace", "--time", "none", "--stop", "return:frame>40ms"),
                List.of("run", "--stop", "return:frame>40ms"),
                List.of("trace", "--start", "return:frame>40ms"))) {
            List<String> command = new ArrayList<>(options);
            command.addAll(List.of("--", "" + program));
            MadtRun refused =
                    MadtRun.madt(directory, command.toArray(String[]::new)).expect(125);
            assertTrue(refused.errors().contains("return:frame>40ms"), refused.errors());
        }
    }
}
