package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions that are open when a recording, or a later window of it, begins. */
class OpenFunctionsIT {
    private static final Pattern FRAME = Pattern.compile("#\\d+ +(?:0x\\w+ in )?(\\w+) \\(.*");
    /** The lines of a call of work. */
    private static final String WORK =
            """
                B:work,rounds
                  B:inner,work
                    B:behind,inner
                    X:behind
                  X:inner
                X:work
            """;

    private static final String END =
            """
                B:behind,rounds
                X:behind
              X:rounds?
              B:behind,main
              X:behind
            X:main?
            """;

    @TempDir
    static Path built;

    @TempDir
    Path directory;

    private static Path program;
    private Process process;

    @BeforeAll
    static void compile() throws Exception {
        String include = MadtRun.root().resolve("madt-native/include").toString();
        program = CallProgram.build(
                built, "opened.c", "-g", "-I", include, "-foptimize-sibling-calls");
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    private List<String> chains(String measure) throws Exception {
        return madt("flame", "--by", measure, "t.madt")
                .lines()
                .filter(line -> !line.matches("(__do_global_dtors_aux|_fini).*"))
                .toList();
    }

    /** The calls as a tree, without numbers and times. */
    private String tree(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("print", "--tree"));
        words.addAll(List.of(options));
        words.add("t.madt");
        return madt(words.toArray(String[]::new))
                .lines()
                .filter(line -> line.matches(" *[BX]\\$.*"))
                .takeWhile(line -> !line.contains(":__do_global_dtors_aux,"))
                .map(line -> line.replaceFirst("\\$\\d+", "").replaceFirst(",(t=)?\\d.*", ""))
                .reduce("", (all, line) -> all + line + "\n");
    }

    private void record(String options, String mode) throws Exception {
        madt(("trace -q -f -o t.madt --calls opened:* " + options + " -- " + program + " " + mode)
                .split(" "));
        madt("check", "t.madt");
    }

    @Test
    void shouldKnowWhoCalledTheFunctionThatOpensAWindow() throws Exception {
        record("--start func:work", "window");
        assertEquals(WORK.repeat(4) + END, tree());
        assertEquals(
                List.of(
                        "main;rounds;work 4",
                        "main;rounds;work;inner 4",
                        "main;rounds;work;inner;behind 4",
                        "main;rounds;behind 1",
                        "main;behind 1"),
                chains("calls"));
    }

    /** Tables, timelines and trees draw what was open from where the window begins. */
    @Test
    void shouldShowWhatWasOpenInAllViews() throws Exception {
        record("--record accesses,calls --start func:work", "window");
        assertEquals(
                List.of("path", "main;behind", "main;rounds;behind", "main;rounds;work"),
                madt(
                                "sql",
                                "t.madt",
                                "select distinct path from accesses"
                                        + " where path like 'main%' order by path",
                                "--format",
                                "csv")
                        .lines()
                        .limit(4)
                        .toList());
        List<String> rows = rows("--columns", "function,calls,min_ns");
        assertTrue(rows.contains("rounds,0,"), rows::toString);
        assertTrue(rows.contains("main,0,"), rows::toString);
        List<String> tree = rows("--tree", "--min", "0").stream() // what takes longest is first
                .map(row -> row.replaceAll("all,(\\d+),.*,(\\w+),.*", "$1 $2"))
                .toList();
        assertTrue(tree.containsAll(List.of("1 main", "2 rounds", "3 work")), tree::toString);
        assertTrue(rows("--tree", "rounds").size() > 2, "the tree of one that was open");
        madt("timeline", "-o", "t.json", "t.madt");
        List<String> begins = Files.readAllLines(directory.resolve("t.json")).stream()
                .filter(line -> line.contains("\"ph\":\"B\""))
                .toList();
        assertEquals(
                List.of("main", "rounds", "work"),
                begins.subList(0, 3).stream()
                        .map(line -> line.replaceAll(".*\"name\":\"(\\w+)\".*", "$1"))
                        .toList());
        String at = begins.get(0).replaceAll(".*\"ts\":([0-9.]+).*", "$1");
        assertTrue(begins.get(1).contains(at), () -> begins.get(1));
    }

    private List<String> rows(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("report", "--by", "call", "--format", "csv"));
        words.addAll(List.of(options));
        words.add("t.madt");
        return madt(words.toArray(String[]::new)).lines().skip(1).toList();
    }

    /** Chains do not tell of it, and are not needed for it. */
    @Test
    void shouldNotNeedChains() throws Exception {
        record(
                "--record accesses,calls --chain 1 --start func:inner --stop return:inner",
                "window");
        assertEquals(
                """
                      B:inner,work
                        B:behind,inner
                        X:behind
                      X:inner
                """,
                tree());
    }

    @Test
    void shouldKnowTheCallersOfLaterWindows() throws Exception {
        record("--start func:work --stop return:work --windows 0", "window");
        assertEquals(WORK.repeat(4), tree());
        assertTrue(
                madt("info", "--verify", "t.madt").contains("2 still open at the end"),
                () -> "info");
    }

    /** Between the windows the program sleeps for 100 ms, three times. */
    @Test
    void shouldNotCountTheTimeBetweenWindows() throws Exception {
        record("--start func:inner --stop return:inner --windows 0", "sleeps");
        String row = rows("--columns", "function,total_ns").stream()
                .filter(line -> line.startsWith("main,"))
                .findFirst()
                .orElseThrow();
        assertTrue(Long.parseLong(row.substring("main,".length())) < 100_000_000, row);
        assertEquals(4, tree().split("B:inner,work").length - 1);
    }

    @Test
    void shouldKnowWhereAReadOpensAWindow() throws Exception {
        Path input = Files.writeString(directory.resolve("input"), "abzd");
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                MadtRun.launcher() + " trace -q -f -o t.madt --calls 'opened:*'"
                                        + " --start read:z -- " + program + " reads <" + input))
                .expect(0);
        String inner = WORK.replaceFirst(".*\n", "").replace("X:work", "X:work?");
        String last = WORK.replaceFirst("\n", "\n      B:take,work\n      X:take\n");
        assertEquals("      X:take?\n" + inner + last + END, tree());
    }

    @Test
    void shouldKnowWhereTheProgramOpensAWindow() throws Exception {
        record("--start marker", "markers");
        String inner = WORK.replaceFirst(".*\n", "").replace("X:work", "X:work?");
        assertEquals(inner + WORK + END, tree());
    }

    /** The handler runs within what it has interrupted. */
    @Test
    void shouldKnowWhatASignalInterrupts() throws Exception {
        record("--start signal:USR1", "signals");
        String inner = WORK.replaceFirst(".*\n", "").replace("X:work", "X:work?");
        String handler =
                """
                      B:on_signal,work
                        B:behind,on_signal
                        X:behind
                      X:on_signal
                """;
        assertEquals(handler + inner + WORK + END, tree());
    }

    @Test
    void shouldKnowWhereTheTimeOfAWindowHasCome() throws Exception {
        record("--start after:150ms", "sleeps");
        String tree = tree();
        String inner = WORK.replaceFirst(".*\n", "").replace("X:work", "X:work?");
        assertTrue(tree.startsWith(inner), tree);
        assertTrue(tree.endsWith(END), tree);
    }

    /** A window that opens at a return is in the function that is returned to. */
    @Test
    void shouldKnowWhereAReturnOpensAWindow() throws Exception {
        record("--start return:inner", "window");
        assertEquals("    X:work?\n" + WORK.repeat(3) + END, tree());
    }

    /** The depth counts from where the window begins; within a function counts what is open. */
    @Test
    void shouldKeepBounds() throws Exception {
        record("--start func:inner --depth 1", "window");
        assertTrue(tree().startsWith("      B:inner,work\n      X:inner\n"), tree());
        record("--start func:inner --below work", "window");
        assertEquals(
                """
                  B:inner,work
                    B:behind,inner
                    X:behind
                  X:inner
                X:work?
                """
                        + WORK.replace(",rounds", ",?")
                                .replaceAll("(?m)^    ", "")
                                .repeat(3),
                tree());
    }

    // ---------------------------------------------------------------- processes that run

    private void start(String mode) throws IOException, InterruptedException {
        process = new ProcessBuilder(program.toString(), mode)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        for (int i = 0; i < 3000 && Files.size(directory.resolve("output")) == 0; i++) {
            Thread.sleep(10);
        }
    }

    /** Returns the functions of the program that gdb sees in each thread, the outermost first. */
    private Set<String> stacksOfGdb() throws Exception {
        MadtRun gdb = MadtRun.command(
                directory,
                List.of(
                        "gdb",
                        "-q",
                        "-nx",
                        "-batch",
                        "-ex",
                        "thread apply all bt",
                        "-p",
                        "" + process.pid()));
        Set<String> stacks = new TreeSet<>();
        List<String> stack = new ArrayList<>();
        for (String line : (gdb.text() + "Thread\n").lines().toList()) {
            Matcher frame = FRAME.matcher(line);
            if (line.startsWith("Thread") && !stack.isEmpty()) {
                Collections.reverse(stack);
                stacks.add(String.join(";", stack));
                stack.clear();
            } else if (frame.matches() && line.contains("opened.c:")) {
                stack.add(frame.group(1));
            }
        }
        return stacks;
    }

    /** Returns once the process is recorded. */
    private Process attach() throws IOException, InterruptedException {
        Process madt = new ProcessBuilder(
                        MadtRun.launcher().toString(),
                        "trace",
                        "-p",
                        "" + process.pid(),
                        "--calls",
                        "opened:*",
                        "-f",
                        "-o",
                        "t.madt")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        for (int i = 0; i < 6000 && !said().contains("attached to process"); i++) {
            Thread.sleep(10);
        }
        return madt;
    }

    /** Returns what is open in each thread in the end, the outermost first. */
    private Set<String> stacksAtTheEnd(String report) {
        Set<String> stacks = new TreeSet<>();
        Pattern in = Pattern.compile("thread \\d+ was in ([\\w;]+)");
        for (Matcher told = in.matcher(report); told.find(); ) {
            stacks.add(told.group(1));
        }
        return stacks;
    }

    @Test
    void shouldKnowWhatEachThreadIsInAsGdbDoes() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        start("threads");
        Set<String> expected = stacksOfGdb();
        assertEquals(
                Set.of(
                        "main;threads",
                        "sleeper;sleeps",
                        "spinner;spins;spins;spins;spins",
                        "jumper;around_jumps;jumps",
                        "turner;turns",
                        "catcher;waits;on_other;rests"),
                expected);
        Process madt = attach();
        Thread.sleep(300);
        madt("ctl", "" + process.pid(), "dump");
        assertEquals(expected, stacksAtTheEnd(madt("info", "--verify", "t.dump1.madt")));
        process.getOutputStream().write('\n');
        process.getOutputStream().close();
        assertEquals(0, process.waitFor());
        assertEquals(0, madt.waitFor(), this::said);
        madt("check", "t.madt");
        assertEquals(
                new TreeSet<>(Set.of(
                        "main;behind 1",
                        "main;threads;behind 1",
                        "sleeper;behind 1",
                        "sleeper;sleeps;behind 1",
                        "spinner;behind 1",
                        "spinner;spins;behind 1",
                        "spinner;spins;spins;behind 1",
                        "spinner;spins;spins;spins;behind 1",
                        "spinner;spins;spins;spins;spins;behind 1",
                        "jumper;around_jumps;behind 1",
                        "jumper;behind 1",
                        "turner;inner 1",
                        "turner;inner;behind 1",
                        "turner;behind 1",
                        "catcher;waits;on_other;rests;behind 1",
                        "catcher;waits;behind 1",
                        "catcher;behind 1")),
                new TreeSet<>(chains("calls")));
        long half = 150_000_000;
        List<String> times = chains("time").stream()
                .filter(line -> Long.parseLong(line.replaceFirst(".* ", "")) > half)
                .map(line -> line.replaceFirst(" .*", ""))
                .toList();
        assertEquals(expected, new TreeSet<>(times)); // all time is where the threads stood still
        assertTrue(madt("info", "--verify", "t.madt").contains(" 0 still open at the end"));
    }

    /** The walk ends there, in a handler as well, and the program goes on. */
    @Test
    void shouldEndAStackThatCannotBeReadInAWindow() throws Exception {
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                MadtRun.launcher() + " trace -q -f -o t.madt --calls 'opened:*'"
                                        + " --start func:behind -- " + program
                                        + " loses </dev/null"))
                .expect(0);
        assertTrue(tree().startsWith("  B:behind,lost\n  X:behind\n"), tree());
    }

    /** The walk ends there, and the process goes on. */
    @Test
    void shouldEndAStackThatCannotBeRead() throws Exception {
        start("loses");
        Process madt = attach();
        process.getOutputStream().write('\n');
        process.getOutputStream().close();
        assertEquals(0, process.waitFor());
        assertEquals(0, madt.waitFor(), this::said);
        assertEquals(
                Set.of("main;behind 1", "main;loses;behind 1", "behind 1"),
                Set.copyOf(chains("calls")));
    }

    private String said() {
        try {
            return Files.readString(directory.resolve("said"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
