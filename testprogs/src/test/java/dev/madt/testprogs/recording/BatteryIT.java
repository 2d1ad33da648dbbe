package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs of {@code testprogs/battery}, each about one thing of the kernel or the processor that a
 * recorder could change: what they print and how they end is the same alone and recorded, by both
 * engines and as an ordinary user.
 */
@Order(1)
class BatteryIT {
    private static final int LIMIT_SECONDS = 600;

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

    @ParameterizedTest
    @MethodSource("programs")
    void shouldBehaveAsAlone(String program) throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        compare(
                program,
                own,
                command -> MadtRun.command(own, command, LIMIT_SECONDS),
                List.of("splice", "trap"));
    }

    /** Each program as the first of a recording. */
    @ParameterizedTest
    @MethodSource("programs")
    @EnabledIfSystemProperty(named = "madt.soak", matches = "true")
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
    @Test
    void shouldBehaveAsAloneForAnOrdinaryUserWhoRunsThemAll() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        Path alone = folder(user, "alone");
        Path recorded = folder(user, "recorded");
        Path traces = folder(user, "traces");
        run(user, all(alone));
        run(user, record("splice", traces.resolve("log"), traces.resolve("t.madt"), all(recorded)));
        String log = Files.readString(traces.resolve("log"));
        List<Executable> checks = new ArrayList<>();
        for (String program : programs().toList()) {
            for (String ending : List.of(".out", ".err", ".status")) {
                String file = program + ending;
                checks.add(() -> assertEquals(
                        Files.readString(alone.resolve(file)),
                        Files.readString(recorded.resolve(file)),
                        () -> file + ": " + log));
            }
        }
        try (Stream<Path> files = Files.list(traces)) {
            List<Path> made =
                    files.filter(file -> file.toString().contains(".madt")).toList();
            assertTrue(made.size() > programs().count(), made::toString);
            made.forEach(trace -> checks.add(() -> TraceFile.check(trace)));
        }
        assertAll(checks);
    }

    private static Path folder(OrdinaryUser user, String name) throws Exception {
        Path folder = user.home().resolve(name);
        user.command(List.of("mkdir", folder.toString())).expect(0);
        return folder;
    }

    private static List<String> all(Path results) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", ONE_AFTER_ANOTHER, results.toString()));
        programs().map(BatteryIT::path).forEach(command::add);
        return command;
    }

    private static void run(OrdinaryUser user, List<String> command) throws Exception {
        MadtRun.command(user.home(), user.words(command), LIMIT_SECONDS).expect(0);
    }
}
