package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of {@code testprogs/battery}, each about one thing of the kernel or the processor that a
 * recorder could change: what they print and how they end is the same alone and recorded, by both
 * engines and as an ordinary user.
 */
@Order(1)
class BatteryIT {
    private static final int LIMIT_SECONDS = 600;

    /**
     * Holds those with so many accesses, or processes, that they take two thirds of the time of all
     * under engine trap; there, they run with the soak profile, as do most of the others.
     */
    private static final Set<String> LONG = Set.of(
            "alarm_storm",
            "brief_threads",
            "coroutines",
            "float_entry",
            "loading",
            "signal_stacks",
            "spawned",
            "vfork_chain");

    /** Runs all programs, and leaves what each prints and how it ends in files of a folder. */
    private static final String ONE_AFTER_ANOTHER =
            """
            folder=$0
            for program; do
                name=$folder/${program##*/}
                "$program" >"$name.out" 2>"$name.err"
                echo $? >"$name.status"
            done
            """;

    @TempDir
    Path directory;

    private interface Runner {
        MadtRun run(List<String> command) throws IOException, InterruptedException;
    }

    private static List<String> programs(String engine) throws IOException {
        return engine.equals("splice") ? programs().toList() : few(9);
    }

    /** Returns one of so many that are not long; all in the soak profile. */
    private static List<String> few(int of) throws IOException {
        List<String> all = programs().toList();
        return all.stream()
                .filter(name -> Tier.SOAK || !LONG.contains(name) && all.indexOf(name) % of == 0)
                .toList();
    }

    static Stream<String> programs() throws IOException {
        try (Stream<Path> sources = Files.list(MadtRun.root().resolve("testprogs/battery"))) {
            return sources
                    .map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(".c"))
                    .map(name -> name.substring(0, name.length() - 2))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static String path(String program) {
        return MadtRun.program("battery/" + program).toString();
    }

    /** Each program as the first of a recording. */
    @ParameterizedTest
    @MethodSource("programs")
    @Soak
    void shouldBehaveAsAlone(String program) throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        compare(
                program,
                own,
                command -> MadtRun.command(own, command, LIMIT_SECONDS),
                List.of("splice", "trap"));
    }

    @ParameterizedTest
    @MethodSource("programs")
    @Soak
    void shouldBehaveAsAloneForAnOrdinaryUser(String program) throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        compare(program, user.home(), user::command, List.of("splice"));
    }

    private static void compare(String program, Path folder, Runner runner, List<String> engines)
            throws IOException, InterruptedException {
        MadtRun alone = runner.run(List.of(path(program)));
        assertFalse(alone.text().isEmpty(), "prints nothing");
        assertAll(engines.stream()
                .map(engine -> (Executable) () -> compare(program, folder, runner, engine, alone)));
    }

    private static void compare(
            String program, Path folder, Runner runner, String engine, MadtRun alone)
            throws IOException, InterruptedException {
        Path trace = folder.resolve("t.madt");
        Path log = folder.resolve("log");
        MadtRun recorded = runner.run(record(engine, log, trace, List.of(path(program))));
        String said = Files.exists(log) ? Files.readString(log) : recorded.errors();
        String where = folder.getFileName() + ", engine " + engine + ": " + said;
        assertEquals(alone.text(), recorded.text(), "stdout; " + where);
        assertEquals(alone.errors(), recorded.errors(), "stderr; " + where);
        assertEquals(alone.status(), recorded.status(), "status; " + where);
        TraceFile.check(trace);
    }

    private static List<String> record(String engine, Path log, Path trace, List<String> program) {
        List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString(), "run", "-f"));
        command.addAll(List.of("--engine", engine, "--log", log.toString()));
        command.addAll(List.of("-o", trace.toString(), "--"));
        command.addAll(program);
        return command;
    }

    /** All programs as children of one recording. */
    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBehaveAsAloneInOneRecording(String engine) throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        compareAll(
                programs(engine),
                engine,
                own,
                command -> MadtRun.command(own, command, LIMIT_SECONDS));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBehaveAsAloneForAnOrdinaryUserWhoRunsThemAll() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        compareAll(
                few(4),
                "splice",
                user.home(),
                command -> MadtRun.command(user.home(), user.words(command), LIMIT_SECONDS));
    }

    private static void compareAll(List<String> programs, String engine, Path home, Runner runner)
            throws Exception {
        Path alone = folder(runner, home.resolve("alone"));
        Path recorded = folder(runner, home.resolve("recorded"));
        Path traces = folder(runner, home.resolve("traces"));
        Path log = traces.resolve("log");
        runner.run(all(alone, programs)).expect(0);
        runner.run(record(engine, log, traces.resolve("t.madt"), all(recorded, programs)))
                .expect(0);
        List<Executable> checks = new ArrayList<>();
        for (String program : programs) {
            checks.add(
                    () -> assertFalse(Files.size(alone.resolve(program + ".out")) == 0, program));
            for (String ending : List.of(".out", ".err", ".status")) {
                String file = program + ending;
                checks.add(() -> assertEquals(
                        Files.readString(alone.resolve(file)),
                        Files.readString(recorded.resolve(file)),
                        () -> file));
            }
        }
        try (Stream<Path> files = Files.list(traces)) {
            List<Path> made =
                    files.filter(file -> file.toString().contains(".madt")).toList();
            assertTrue(made.size() > programs.size(), made::toString);
            made.forEach(trace -> checks.add(() -> TraceFile.check(trace)));
        }
        assertAll(engine + ": " + Files.readString(log), checks);
    }

    private static Path folder(Runner runner, Path folder) throws Exception {
        runner.run(List.of("mkdir", folder.toString())).expect(0);
        return folder;
    }

    private static List<String> all(Path results, List<String> programs) {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", ONE_AFTER_ANOTHER, results.toString()));
        programs.stream().map(BatteryIT::path).forEach(command::add);
        return command;
    }
}
