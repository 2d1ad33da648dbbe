package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.Comparison;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs written to be difficult: libraries that come and go, other allocators, daemons, the
 * tests of the shim with everything followed.
 */
@Order(1)
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class BehaviourIT {

    @Parameter
    String engine;

    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");
    private static final String BIN = MadtRun.program("").toString();

    @TempDir
    Path directory;

    private Recorder madt() {
        return new Recorder(directory).engine(engine);
    }

    private List<Path> compare(String... command) throws Exception {
        return new Comparison(directory, "true", List.of("--engine", engine))
                .check(List.of(command));
    }

    /** Engine trap, to which an access is dearer, with the soak profile. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_BIND_NOW=",
                "LD_PRELOAD={lib}/libjemalloc.so.2",
            })
    @SoakCases({
        "LD_BIND_NOW=1",
        "LD_PRELOAD={bin}/libuser_preload.so",
        "LD_PRELOAD={lib}/libtcmalloc_minimal.so.4"
    })
    void shouldLoadLibrariesAsAlone(String variable) throws Exception {
        notLongUnderTrap();
        String set = variable.replace("{bin}", BIN).replace("{lib}", LIBRARIES.toString());
        Path library = Path.of(set.substring(set.indexOf('=') + 1));
        assumeTrue(
                !set.contains("/") || Files.exists(library), () -> library + " is not installed");
        List<Path> traces = compare("env", set, MadtRun.program("libraries").toString(), BIN);
        Path last = traces.get(traces.size() - 1);
        assertTrue(TraceFile.check(last).accesses() > 5_000);
        String report = MadtRun.madt(directory, "print", "--symbolic", last.toString())
                .expect(0)
                .text();
        assertTrue(
                report.contains("[libplugin.so:.bss],plugin+")
                        && report.contains("L$")
                        && report.contains("table+0,[libplugin.so:"),
                "names of the plugin");
        assertTrue(
                report.lines()
                        .anyMatch(line -> line.matches("S\\$\\d+:<malloc\\d+@[^>]+>\\+\\d+,\\[.*")),
                "named blocks");
    }

    private void notLongUnderTrap() {
        underTrapIf(false);
    }

    /** Lets engine trap run, outside the soak profile, what stands for the other cases. */
    private void underTrapIf(boolean representative) {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || representative,
                "engine trap takes minutes for all");
    }

    /**
     * Each does things that only the processes it makes, or what it executes, could show. Engine
     * trap, whose part in these the checks of the shim have, runs them with the soak profile.
     */
    @ParameterizedTest
    @ValueSource(strings = {"processes", "faults", "children"})
    @SoakCases({"kernel_threads", "robust", "attributes", "i386"})
    void shouldRunTheTestsOfTheShimAndAllTheirChildrenAsAlone(String name) throws Exception {
        notLongUnderTrap();
        runTestOfTheShim(name);
    }

    /** With the launcher, what the checks of the shim run in every verification without it. */
    @ParameterizedTest
    @Soak
    @ValueSource(
            strings = {
                "signals",
                "threads",
                "mappings",
                "contexts",
                "closed",
                "stacks",
                "waits",
                "gs"
            })
    void shouldRunTheOtherTestsOfTheShimAsAlone(String name) throws Exception {
        runTestOfTheShim(name);
    }

    private void runTestOfTheShim(String name) throws Exception {
        Path program = MadtRun.root().resolve("madt-native/target/test").resolve(name);
        assertTrue(
                Files.exists(program), () -> program + " is not built: make check in madt-native");
        assertTrue(Comparison.accesses(compare(program.toString(), "exec")) > 1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"own_malloc", "own_malloc.nopie"})
    void shouldNameTheBlocksOfAnAllocatorInTheProgram(String name) throws Exception {
        underTrapIf(name.equals("own_malloc"));
        Path trace = directory.resolve("t.madt");
        String program = MadtRun.program(name).toString();
        String alone = MadtRun.command(directory, List.of(program)).text();
        MadtRun run = madt().run(program).expect(0);
        assertEquals(alone, run.text());
        List<String> lines = MadtRun.madt(directory, "print", trace.toString())
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(
                """
                M$1:<malloc0001@fill+N>,20
                M$2:<malloc0002@fill+N>,21
                R$3:<reallo0003@fill+N>,160,<freed:0001@fill+N>
                F$4:<freed:0002@fill+N>,fill+N
                F$5:<freed:0003@fill+N>,fill+N
                """,
                String.join(
                        "",
                        lines.stream()
                                .filter(line -> line.matches("[MRFC].*fill.*"))
                                .map(line -> line.replaceAll("fill\\+\\d+", "fill+N") + "\n")
                                .toList()));
        assertEquals(
                5,
                lines.stream()
                        .filter(line -> line.matches(
                                "S\\$\\d+:<malloc0001@fill\\+\\d+>\\+\\d+,\\[anon],fill.*"))
                        .count());
        assertTrue(
                lines.stream()
                        .anyMatch(line ->
                                line.matches("M\\$\\d+:<malloc\\d+@[^>]*strdup\\+\\d+>,10")),
                "libc's call");
    }

    /** Engine trap with the soak profile, and only for a shell: the others would take minutes. */
    @ParameterizedTest
    @ValueSource(strings = "bash")
    @SoakCases({"python", "go"})
    void shouldKeepTheHandlersOfAProgramThatStartsOthers(String language) throws Exception {
        notLongUnderTrap();
        assumeTrue(engine.equals("splice") || language.equals("bash"), "engine trap takes minutes");
        Path source = MadtRun.root().resolve("testprogs/lib");
        switch (language) {
            case "bash" ->
                compare(
                        "bash",
                        "-c",
                        """
                            trap 'echo interrupted' INT; trap 'echo ended' EXIT; trap 'echo user' \
                            USR1
                            kill -INT $$; /bin/true; kill -INT $$; (kill -USR1 $$; exit 3); echo \
                            $?; x=$(echo sub; exit 5); echo $x $?
                            sleep 0.1 & wait; kill -USR1 $$; grep -c Sig /proc/self/status; exit 7\
                            """);
            case "python" -> {
                Path python = Path.of("/usr/bin/python3");
                assumeTrue(Files.exists(python), "python3 is not installed");
                compare(python.toString(), "-B", source.resolve("handlers.py").toString());
            }
            default -> compare(handlersInGo(source.resolve("handlers.go")).toString());
        }
    }

    private Path handlersInGo(Path source) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/go")), "golang-go is not installed");
        Path program = directory.resolve("handlers");
        MadtRun.command(
                        directory,
                        List.of(
                                "env",
                                "GO111MODULE=off",
                                "CGO_ENABLED=1",
                                "GOCACHE=" + directory.resolve("cache"),
                                "/usr/bin/go",
                                "build",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        return program;
    }

    @Test
    void shouldTellHowTheChildrenOfTheTargetEnded() throws Exception {
        Path trace = directory.resolve("t.madt");
        madt().with("--max-events", "100")
                .run(
                        "sh",
                        "-c",
                        "sh -c 'kill -9 $$'; sh -c 'kill -TERM $$'; sh -c 'exit 3'; exit 4")
                .expect(4);
        List<String> endings = MadtRun.madt(directory, "info", trace.toString())
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("  \\d+ .*, child of .*"))
                .map(line -> line.split(", ")[2])
                .toList();
        assertEquals(List.of("exit 4", "signal SIGKILL", "signal SIGTERM", "exit 3"), endings);
    }

    @Test
    void shouldRecordADaemonToItsEndWithWhatItInherits() throws Exception {
        Path file = directory.resolve("note");
        Path trace = directory.resolve("t.madt");
        MadtRun run = madt().talking()
                .run(MadtRun.program("daemon").toString(), file.toString(), "more")
                .expect(1);
        assertEquals("the program ends\n", run.text());
        assertEquals("begun and done\n", Files.readString(file));
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertEquals(
                3,
                info.lines()
                        .filter(line -> line.matches(
                                "  \\d+ .*/daemon, child of \\d+, exit [019], t\\.madt.*"))
                        .count(),
                info);
        List<Path> traces;
        try (Stream<Path> files = Files.list(directory)) {
            traces = files.filter(path -> path.getFileName().toString().startsWith("t.madt."))
                    .toList();
        }
        assertEquals(2, traces.size());
        long named = 0;
        for (Path child : traces) {
            TraceFile.check(child);
            named += MadtRun.madt(directory, "print", child.toString())
                    .expect(0)
                    .text()
                    .lines()
                    .filter(line -> line.contains("<malloc0001@main+")
                            || line.startsWith("F$") && line.contains("<freed:0001@main+"))
                    .count();
        }
        assertTrue(named >= 2, named + " uses of the block that the parent had allocated");
    }

    @Test
    void shouldTraceTheFirstProcessAloneWhenToldSo() throws Exception {
        Path trace = directory.resolve("t.madt");
        madt().with("--no-follow").run("sh", "-c", "echo a | cat; exec true").expect(0);
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertTrue(info.contains("not traced"), info);
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(
                    1, files.filter(path -> path.toString().contains(".madt")).count());
        }
    }

    /** The debugger sees the signals of the program, and none of MadT's. */
    @Test
    void shouldLeaveAProgramToItsDebugger() throws Exception {
        String program = MadtRun.program("debugger").toString();
        MadtRun plain = MadtRun.command(directory, List.of(program)).expect(0);
        assertEquals("fork: TRAP USR1 exit 7\nvfork: TRAP USR1 exit 7\n", plain.text());
        Path trace = directory.resolve("t.madt");
        assertEquals(plain.text(), madt().run(program).expect(0).text());
        assertTrue(TraceFile.check(trace).accesses() > 100);
    }

    /**
     * Its children run, sleep, wait and have threads when it attaches, and are stepped and followed
     * call by call.
     */
    @Test
    void shouldLetAProgramTraceItsOwnChildren() throws Exception {
        String program = MadtRun.program("tracers").toString();
        MadtRun plain = MadtRun.command(directory, List.of(program)).expect(0);
        assertTrue(
                plain.text().contains("200 steps\n") && plain.text().contains("threads: exit 42\n"),
                plain.text());
        Path trace = directory.resolve("t.madt");
        MadtRun run = madt().talking().run(program).expect(0);
        assertEquals(plain.text(), run.text());
        assertTrue(
                run.errors()
                        .contains("complete until a debugger took the process over, which then ran"
                                + " untraced"),
                run.errors());
        assertTrue(TraceFile.check(trace).accesses() > 1000);
    }

    /** As under a script of the same shell: some shells unblock all signals when they start. */
    @ParameterizedTest
    @ValueSource(strings = {"ILL,TRAP,BUS,FPE,SEGV,SYS", "HUP,INT,TERM,PIPE,USR2,XFSZ,TSTP"})
    @SoakCases("USR1,QUIT")
    void shouldPassOnWhatItsCallerIgnoresAndBlocks(String signals) throws Exception {
        underTrapIf(signals.startsWith("ILL"));
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--block-signal=" + signals,
                "--ignore-signal=" + signals,
                "sh",
                "-c",
                "exec \"$@\"",
                "sh"));
        List<String> traced = new ArrayList<>(List.of(
                "env",
                "--block-signal=" + signals,
                "--ignore-signal=" + signals,
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "-o",
                directory.resolve("t.madt").toString(),
                "--"));
        List<String> program = List.of("grep", "Sig[BI]", "/proc/self/status");
        command.addAll(program);
        traced.addAll(program);
        String alone = MadtRun.command(directory, command).expect(0).text();
        assertTrue(!alone.contains("SigIgn:\t0000000000000000"), alone);
        assertEquals(alone, MadtRun.command(directory, traced).expect(0).text());
    }

    /**
     * Checks that what only i386 has structures for is the kernel's to do, and nothing of MadT is
     * in its way.
     */
    @ParameterizedTest
    @ValueSource(strings = {"execute", "ignore", "clone"})
    void shouldLeaveAProgramToCallsThatCannotBeFollowed(String what) throws Exception {
        underTrapIf(what.equals("clone"));
        String program = MadtRun.root().resolve("madt-native/target/test/i386").toString();
        MadtRun plain = MadtRun.command(directory, List.of(program, what));
        assumeTrue(plain.text().contains("done: " + what), "this kernel has no calls of i386");
        Path trace = directory.resolve("t.madt");
        // started by whoever starts the other: it prints which signals are ignored
        List<String> words = madt().talking().words(List.of(program, what));
        MadtRun run =
                MadtRun.process(directory, words.toArray(String[]::new)).expect(plain.status());
        assertEquals(plain.text(), run.text());
        String end =
                "complete until the program made a 32-bit system call (int $0x80) that cannot be"
                        + " followed, and then ran untraced";
        assertTrue(run.errors().contains(end), run.errors());
        assertTrue(MadtRun.madt(directory, "info", trace.toString())
                .expect(0)
                .text()
                .contains(end));
        assertTrue(TraceFile.check(trace).accesses() > 1_000);
    }

    /**
     * Whatever the filter allows, it meets no call that the program does not make; what it cannot
     * allow ends the recording, not the program.
     */
    @ParameterizedTest
    @CsvSource({
        "strict, true",
        "few, true",
        "trap, true",
        "errors, true",
        "threads, true",
        "all, false",
        "log, false"
    })
    void shouldRunUnderTheFiltersOfAProgramAsAlone(String how, boolean untraced) throws Exception {
        underTrapIf(how.equals("threads") || how.equals("all"));
        String program = MadtRun.program("filters").toString();
        MadtRun plain = MadtRun.command(directory, List.of(program, how)).expect(21);
        assertTrue(plain.text().endsWith(how + ": done\n"), plain.text());
        Path trace = directory.resolve("t.madt");
        MadtRun run = madt().talking().run(program, how).expect(21);
        assertEquals(plain.text(), run.text());
        String end =
                "complete until the program shut itself in with a seccomp filter, under which it"
                        + " ran untraced";
        assertEquals(untraced, run.errors().contains(end), run.errors());
        assertEquals(
                untraced,
                MadtRun.madt(directory, "info", trace.toString())
                        .expect(0)
                        .text()
                        .contains(end));
        // under engine trap, what the thread does may pass while a page is open to main
        int certain = untraced ? 2000 : how.equals("all") ? 4000 : 6000;
        assertTrue(TraceFile.check(trace).accesses() >= certain, run.errors());
    }

    /** The last column: how many images are listed with a trace, and how many without. */
    @ParameterizedTest
    @CsvSource({"grandchild, 3, 0", "sibling, 2, 0", "stacks, 6, 0", "orphan, 3, 0"})
    void shouldFollowProcessesHoweverTheyAreMade(String how, int traced, int untraced)
            throws Exception {
        underTrapIf(how.equals("stacks"));
        String program = MadtRun.program("families").toString();
        MadtRun plain = MadtRun.command(directory, List.of(program, how)).expect(0);
        Path trace = directory.resolve("t.madt");
        MadtRun run = madt().talking().run(program, how).expect(0);
        assertEquals(plain.text(), run.text());
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertEquals(
                traced,
                info.lines()
                        .filter(line -> line.matches(
                                "  \\d+ .*/families, child of \\d+, exit \\d+, t\\.madt.*"))
                        .count(),
                info);
        assertEquals(
                untraced,
                info.lines()
                        .filter(line -> line.matches(
                                "  \\d+ .*/families, child of \\d+, exit \\d+, not traced"))
                        .count(),
                info);
    }

    /**
     * Checks that what has become another user's, or has shut itself in, cannot take part; it finds
     * its own environment and nothing of MadT.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"{bin}/confined env", "setpriv --reuid=65534 --clear-groups sh -c env;exit_3"
            })
    void shouldExecuteWhatCannotTakePartAsAlone(String line) throws Exception {
        underTrapIf(line.startsWith("{bin}"));
        List<String> command = Stream.of(line.replace("{bin}", BIN).split(" "))
                .map(word -> word.replace('_', ' '))
                .toList();
        MadtRun plain = MadtRun.command(directory, command);
        assumeTrue(
                !plain.errors().contains("setpriv"),
                "no right to become another user: " + plain.errors());
        List<String> traced = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "-o",
                directory.resolve("t.madt").toString(),
                "--"));
        traced.addAll(command);
        MadtRun run = MadtRun.command(directory, traced).expect(plain.status());
        assertEquals(plain.text(), run.text());
        assertEquals("", run.errors());
    }

    @Test
    void shouldSayWhatIsNotTraced() throws Exception {
        notLongUnderTrap();
        Path trace = directory.resolve("t.madt");
        MadtRun run = madt().run(
                        "sh", "-c", MadtRun.program("static") + "; env | grep -c MADT; true")
                .expect(0);
        assertEquals("0\n", run.text().substring(run.text().length() - 2));
        assertFalse(run.errors().contains("ld.so"), run.errors());
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertTrue(
                info.lines().anyMatch(line -> line.contains("/static") && line.contains("exit")),
                info);
    }
}
