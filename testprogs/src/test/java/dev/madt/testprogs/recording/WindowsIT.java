package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows of the recording: what opens and closes them, exactly where they begin and end, and what
 * is said of them.
 */
class WindowsIT {
    private static final Pattern ENTER = Pattern.compile("B\\$\\d+:([^,]+),.*");
    private static final List<String> FRAME = List.of("frame", "step", "step");
    private static final List<String> BEFORE = List.of("before", "step", "step");

    @TempDir
    static Path built;

    @TempDir
    Path directory;

    private static Path windows;
    private Path program;
    private Path trace;
    private MadtRun run;

    @BeforeAll
    static void compile() throws Exception {
        windows = CallProgram.build(built, "windows.c", "-g");
    }

    @BeforeEach
    void begin() {
        program = windows;
        trace = directory.resolve("t.madt");
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    /** The functions of the program that a recording with these options enters. */
    private List<String> entered(String options, String arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("trace", "-f", "-o", trace.toString()));
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(List.of("--", program.toString()));
        command.addAll(Arrays.asList(arguments.split(" ")));
        run = MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        return entered(trace);
    }

    private List<String> entered(Path file) throws Exception {
        madt("check", file.toString());
        List<String> entered = new ArrayList<>();
        for (String line : madt("print", file.toString())) {
            Matcher enter = ENTER.matcher(line);
            if (enter.matches()
                    && List.of("before", "frame", "after", "step", "nest", "on_signal")
                            .contains(enter.group(1))) {
                entered.add(enter.group(1));
            }
        }
        return entered;
    }

    @SafeVarargs
    private static List<String> times(int count, List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (List<String> part : parts) {
                all.addAll(part);
            }
        }
        return all;
    }

    private List<String> windows() throws Exception {
        return madt("info", trace.toString()).stream()
                .dropWhile(line -> !line.startsWith("windows"))
                .takeWhile(line -> !line.startsWith("modules"))
                .map(line -> line.strip().replaceAll("^\\d+ +at [^:]*: ", ""))
                .toList();
    }

    @Test
    void shouldRecordThreeCallsOfAFunction() throws Exception {
        assertEquals(
                times(3, FRAME),
                entered("--start func:frame --stop return:frame --windows 3", "rounds 5"));
        String window = "func:frame until return:frame";
        assertEquals(
                List.of("windows         3".replaceAll(" +", " "), window, window, window),
                windows().stream().map(line -> line.replaceAll(" +", " ")).toList());
        assertEquals(
                Collections.nCopies(3, "X$n:frame"),
                madt("print", "--function", "frame", trace.toString()).stream()
                        .filter(line -> line.startsWith("X"))
                        .map(line -> line.replaceAll("\\d+:", "n:").replaceAll(",.*", ""))
                        .toList());
    }

    /** Has a function of one byte, another one right behind it, and callers that are known. */
    private static final String EMPTY =
            """
            static int steps[100];
            __attribute__((noinline)) void empty(void) { __asm__ volatile(""); }
            __attribute__((noinline)) void step(int number) { steps[number % 100]++; }

            int main(void)
            {
                for (int i = 0; i < 10; i++)
                    step(i);
                empty();
                for (int i = 0; i < 1000; i++)
                    step(i);
                return 0;
            }
            """;

    /** There is no room for a jump in it, so that copies of its callers might lead past it. */
    @ParameterizedTest
    @ValueSource(strings = {"func:empty", "return:empty"})
    void shouldStopAtAnEmptyFunction(String stop) throws Exception {
        Path source = Files.writeString(directory.resolve("empty.c"), EMPTY);
        program = directory.resolve("empty");
        List<String> compiler =
                List.of("gcc", "-O2", "-falign-functions=1", "-fno-toplevel-reorder");
        List<String> command = new ArrayList<>(compiler);
        command.addAll(
                List.of("-fcf-protection=none", "-o", program.toString(), source.toString()));
        MadtRun.command(directory, command).expect(0);
        assertEquals(Collections.nCopies(10, "step"), entered("--stop " + stop, "none"));
        assertEquals("main until " + stop, windows().get(1));
    }

    /**
     * Checks that what a window begins and ends with may be the same function, which runs in
     * between.
     */
    @Test
    void shouldRecordFromAFunctionToItsNextCall() throws Exception {
        assertEquals(
                times(2, FRAME, List.of("after", "step"), BEFORE),
                entered("--start func:frame --stop func:frame --windows 2", "rounds 5"));
    }

    @Test
    void shouldRecordFromAReturnToAnEntry() throws Exception {
        assertEquals(
                times(2, FRAME),
                entered("--start return:before --stop func:after --windows 2", "rounds 4"));
    }

    /** Checks that what returns to the same place first, from deeper in the stack, is passed by. */
    @Test
    void shouldAwaitTheReturnOfTheFirstCall() throws Exception {
        assertEquals(
                times(5, List.of("nest", "step")),
                entered("--start main --stop return:nest", "recurses 4"));
        assertEquals(List.of(), entered("--start return:nest", "recurses 4"));
    }

    @Test
    void shouldRecordTheWholeUntilAFunction() throws Exception {
        assertEquals(times(1, BEFORE, FRAME), entered("--stop func:after", "rounds 3"));
        entered("--calls step --start func:frame --stop func:after", "rounds 3");
        String windows = String.join("\n", madt("print", "--kind", "window", trace.toString()));
        assertTrue( // neither of which is recorded itself
                windows.matches("(?s)O\\$1:func:frame,.*Q\\$1:func:after,.*"), windows);
    }

    @Test
    void shouldBeginAndEndAtSignals() throws Exception {
        assertEquals(
                times(2, List.of("on_signal"), FRAME),
                entered("--start signal:USR1 --stop func:after --windows 2", "signals 4"));
        // without a handler, the signal would end the program
        assertEquals(FRAME, entered("--start signal:SIGUSR1 --stop func:after", "signals 2 none"));
    }

    /** The program sleeps for 100 ms in front of each of its rounds. */
    @Test
    void shouldOpenAndCloseByTime() throws Exception {
        List<String> entered = entered("--start after:250ms --for 300ms --windows 2", "sleeps 15");
        assertTrue(entered.contains("frame"), entered.toString());
        long frames = entered.stream().filter("frame"::equals).count();
        assertTrue(frames < 15, entered.toString());
        assertEquals(
                List.of("after:250ms until for 300 ms", "after:250ms until for 300 ms"),
                windows().subList(1, 3));
    }

    /** The signal that tells a thread the time must not take the place of a system call. */
    @Test
    void shouldLeaveEverySystemCallOfAThreadThatIsAsked() throws Exception {
        String maps = MadtRun.program("attach/maps").toString();
        run = MadtRun.madt(
                directory,
                ("run -f --start after:1ms --for 200us --windows 0 -o " + trace + " -- " + maps
                                + " " + Tier.of(200_000, 8_000))
                        .split(" "));
        run.expect(0);
        assertEquals("0 wrong\n", run.text());
        String windows = run.errors().replaceFirst("(?s).* in ([0-9,]+) windows .*", "$1");
        assertTrue(Integer.parseInt(windows.replace(",", "")) > 100, run.errors());
    }

    /** By the number of such a process the kernel tells nothing of it. */
    @Test
    void shouldOpenAWindowWhenTheFirstThreadHasEnded() throws Exception {
        String outlives = MadtRun.program("attach/outlives").toString();
        run = MadtRun.madt(
                directory,
                ("run -f --start after:300ms --for 300ms -o " + trace + " -- " + outlives)
                        .split(" "));
        run.expect(0);
        assertEquals("19900\n", run.text());
        assertTrue(madt("print", "--symbol", "sum", trace.toString()).size() > 1, run.errors());
    }

    /** Nothing of MadT may stand in the code of a child that is not recorded. */
    @ParameterizedTest
    @ValueSource(strings = {"trace", "run --engine trap"})
    void shouldLeaveTheCodeOfChildrenThatAreNotRecorded(String how) throws Exception {
        program = CallProgram.build(directory, "alone.c");
        for (String when : Tier.some(
                List.of(
                        "--start func:next",
                        "--start return:next",
                        "--start func:next --stop return:next --windows 0",
                        "--stop func:next"),
                2)) {
            List<String> command = new ArrayList<>(List.of(how.split(" ")));
            command.addAll(List.of("-qf", "--no-follow", "-o", "" + trace));
            command.addAll(List.of(when.split(" ")));
            command.addAll(List.of("--", "" + program));
            assertEquals(List.of("1"), madt(command.toArray(String[]::new)), when);
        }
    }

    /** Checks that what comes by time would end a program that MadT has left. */
    @Test
    void shouldNotEndAProgramThatShutsItselfIn() throws Exception {
        program = CallProgram.build(directory, "shut_in.c");
        for (String options : List.of("--start after:400ms", "--for 400ms")) {
            entered(options, "none");
            assertEquals("alive\n", run.text(), options);
        }
    }

    @Test
    void shouldAwaitBytesThatAreRead() throws Exception {
        Path input = directory.resolve("input.sh");
        String command = MadtRun.launcher()
                + " trace -qf --start 'read:\\x1bf,' --stop return:after -o " + trace + " -- "
                + program
                + " reads";
        Files.writeString(
                input,
                "(for text in aaa 'x\\033' 'f,!' bbb; do printf $text; sleep 0.3; done) | "
                        + command + "\n");
        MadtRun.command(directory, List.of("sh", input.toString())).expect(0);
        assertEquals(times(1, BEFORE, FRAME, List.of("after", "step")), entered(trace));
        assertEquals("read:\\\\x1bf\\x2c until return:after", windows().get(1));
    }

    @Test
    void shouldFollowThreadsAndChildren() throws Exception {
        List<String> entered = entered("--start func:frame --stop return:frame", "forks");
        assertEquals(FRAME, entered);
        try (var files = Files.list(directory)) {
            List<Path> children = files.filter(
                            file -> file.getFileName().toString().startsWith("t.madt."))
                    .toList();
            assertEquals(1, children.size(), children.toString());
            assertEquals(FRAME, entered(children.get(0)));
        }
        entered("--start func:frame --for 20ms --windows 2", "threads 1000000");
        assertTrue(
                madt("report", "--by", "call", "--function", "other", trace.toString())
                                .size()
                        > 1,
                "the other thread is in the windows");
    }

    /**
     * Forks while another thread opens and closes windows: whatever the child finds half done, it
     * runs, and its own windows are whole. One that was open at the fork ends with its first frame.
     */
    @Test
    void shouldOpenWindowsInChildrenThatAreForkedMeanwhile() throws Exception {
        int children = 12;
        entered("--start func:frame --stop return:frame --windows 0", "races " + children);
        assertTrue(run.text().contains("good " + children), run.text());
        List<Path> traces;
        try (var files = Files.list(directory)) {
            traces = files.filter(file -> file.getFileName().toString().startsWith("t.madt."))
                    .toList();
        }
        assertEquals(children, traces.size(), traces.toString());
        for (Path child : traces) {
            List<String> entered = entered(child);
            List<String> rounds = times(3, FRAME);
            assertTrue(entered.size() >= rounds.size(), child + " " + entered);
            assertEquals(rounds, entered.subList(entered.size() - rounds.size(), entered.size()));
        }
    }

    /** The time stamp counter of a window is between those that the program reads itself. */
    @Test
    void shouldSayWhenAndWhatNeverCame() throws Exception {
        entered("--start func:frame --stop return:frame --windows 3", "rounds 5");
        String meta = String.join("\n", madt("dump", trace.toString()));
        assertTrue(meta.contains("windows"), "the trace says when");
        MadtRun none = MadtRun.madt(
                        directory,
                        "trace",
                        "-f",
                        "-o",
                        trace.toString(),
                        "--start",
                        "func:fram",
                        "--",
                        program.toString())
                .expect(0);
        assertTrue(none.errors().contains("func:fram never came"), none.errors());
        assertTrue(none.errors().contains("Did you mean 'frame'?"), none.errors());
        assertEquals(List.of(), entered(trace));
    }

    /** Accesses as well as calls: those of the function, and no other. */
    @Test
    void shouldRecordTheAccessesOfAWindow() throws Exception {
        for (String engine : List.of("splice", "trap")) {
            MadtRun.madt(
                            directory,
                            "run",
                            "-qf",
                            "--engine",
                            engine,
                            "--start",
                            "func:frame",
                            "--stop",
                            "return:frame",
                            "--windows",
                            "2",
                            "-o",
                            trace.toString(),
                            "--",
                            program.toString(),
                            "rounds",
                            "5")
                    .expect(0);
            List<String> lines = madt("print", "--symbol", "steps", trace.toString());
            assertEquals(
                    8, lines.stream().filter(line -> line.contains("steps")).count(), engine);
        }
    }
}
