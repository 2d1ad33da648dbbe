package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
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

    @ParameterizedTest
    @MethodSource("programs")
    void shouldBehaveAsAlone(String program) throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        Path own = Files.createDirectory(directory.resolve("own"));
        Runner asTester = command -> MadtRun.command(own, command, 120);
        assertAll(
                () -> compare(program, own, asTester, "splice"),
                () -> compare(program, own, asTester, "trap"),
                () -> compare(program, user.home(), user::command, "splice"));
    }

    private static void compare(String program, Path folder, Runner runner, String engine)
            throws IOException, InterruptedException {
        String path = MadtRun.program("battery/" + program).toString();
        MadtRun alone = runner.run(List.of(path));
        assertTrue(!alone.text().isEmpty(), "prints nothing");
        Path trace = folder.resolve("t.madt");
        Path log = folder.resolve("log");
        MadtRun recorded = runner.run(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-f",
                "--engine",
                engine,
                "--log",
                log.toString(),
                "-o",
                trace.toString(),
                "--",
                path));
        String said = Files.exists(log) ? Files.readString(log) : recorded.errors();
        String where = folder.getFileName() + ", engine " + engine + ": " + said;
        assertEquals(alone.text(), recorded.text(), "stdout; " + where);
        assertEquals(alone.errors(), recorded.errors(), "stderr; " + where);
        assertEquals(alone.status(), recorded.status(), "status; " + where);
        TraceFile.check(trace);
    }
}
