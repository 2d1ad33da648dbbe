package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.Access;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is lost, however the program ends; and the launcher says how it did. */
class EndingsIT {
    private static final int SIGKILL_STATUS = 137;
    private static final long KILL_AFTER = 30_011;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "splice, crash_null.O2, 139, signal SIGSEGV",
        "splice, crash_cut.O0, 139, signal SIGSEGV",
        "splice, crash_abort.O2, 134, signal SIGABRT",
        "splice, crash_exit.O2, 37, exit 37",
        "trap, crash_null.O0, 139, signal SIGSEGV",
        "trap, crash_cut.O2, 139, signal SIGSEGV",
        "trap, crash_exit.O0, 37, exit 37"
    })
    @SoakCases({
        "splice, crash_null.O0, 139, signal SIGSEGV",
        "splice, crash_cut.O2, 139, signal SIGSEGV",
        "splice, crash_abort.O0, 134, signal SIGABRT",
        "splice, crash_exit.O0, 37, exit 37",
        "trap, crash_null.O2, 139, signal SIGSEGV",
        "trap, crash_cut.O0, 139, signal SIGSEGV",
        "trap, crash_abort.O0, 134, signal SIGABRT",
        "trap, crash_abort.O2, 134, signal SIGABRT",
        "trap, crash_exit.O2, 37, exit 37"
    })
    void shouldKeepEveryStoreBeforeTheEnd(String engine, String name, int status, String ended)
            throws Exception {
        Path trace = directory.resolve("t.madt");
        ProgramFile program = new ProgramFile(MadtRun.program(name));
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        trace.toString(),
                        "--",
                        program.path().toString())
                .expect(status);
        assertEquals(ended, TraceFile.check(trace).meta("ended"));
        assertEquals(1013, ownDataStores(trace, program));
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertTrue(info.contains(ended.substring(ended.indexOf(' ') + 1)), info);
    }

    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldLetAProgramGoOnThatWritesIntoItsBuffer(String engine) throws Exception {
        Path trace = directory.resolve("t.madt");
        String program = MadtRun.program("overwrite").toString();
        MadtRun alone = MadtRun.command(directory, List.of(program)).expect(5);
        MadtRun run = MadtRun.madt(
                        directory, "run", "--engine", engine, "-o", trace.toString(), "--", program)
                .expect(5);
        assertEquals(alone.text(), run.text());
        assertTrue(
                run.errors()
                        .contains(
                                "the recording stopped early, the shared memory is damaged: buffer"
                                        + " 0, byte "),
                run.errors());
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertTrue(info.contains("the file ends without an index"), info);
    }

    @Test
    void shouldWriteTheTraceToStandardOutput() throws Exception {
        ProgramFile program = new ProgramFile(MadtRun.program("crash_exit.O0"));
        MadtRun run = MadtRun.madt(
                        directory, "run", "-q", "-o", "-", "--", program.path().toString())
                .expect(37);
        Path trace = Files.write(directory.resolve("t.madt"), run.output());
        assertEquals("exit 37", TraceFile.check(trace).meta("ended"));
        assertEquals(1013, ownDataStores(trace, program));
        MadtRun both = MadtRun.madt(directory, "run", "-q", "-o", "-", "--text", "-", "--", "true")
                .expect(125);
        assertTrue(both.errors().contains("cannot both go to standard output"), both.errors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldHoldAsManyStoresAsWereBegunWhenKilledFromOutside(String engine) throws Exception {
        Path counter = Files.write(directory.resolve("count"), new byte[4096]);
        Path trace = directory.resolve("t.madt");
        ProgramFile program = new ProgramFile(MadtRun.program("kill_counter.O0"));
        Process launcher = new ProcessBuilder(
                        MadtRun.launcher().toString(),
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        trace.toString(),
                        "--",
                        program.path().toString(),
                        counter.toString())
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile())
                .start();
        kill(launcher, counter);
        assertTrue(launcher.waitFor(10, TimeUnit.MINUTES), "the launcher did not end");
        assertEquals(
                SIGKILL_STATUS,
                launcher.exitValue(),
                Files.readString(directory.resolve("errors")));
        long begun = count(counter);
        assertEquals("signal SIGKILL", TraceFile.check(trace).meta("ended"));
        long stores = ownDataStores(trace, program);
        assertTrue(
                stores == begun || stores == begun - 1,
                stores + " stores in the trace, " + begun + " begun");
        System.out.printf(
                "killed after %,d stores were begun: the trace holds %,d%n", begun, stores);
    }

    /** Waits until the program has made some progress, then kills it alone. */
    private static void kill(Process launcher, Path counter)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (count(counter) < KILL_AFTER) {
            assertTrue(
                    System.nanoTime() < deadline && launcher.isAlive(),
                    "no progress: " + count(counter));
            Thread.sleep(1);
        }
        ProcessHandle target = launcher.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/kill_counter.O0"))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no process kill_counter.O0 below the launcher"));
        target.destroyForcibly();
    }

    private static long count(Path counter) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(counter))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(0);
    }

    /**
     * Stores of the program's own code to its own data, from main on: the array is all that it
     * stores to.
     */
    private static long ownDataStores(Path trace, ProgramFile program) throws IOException {
        List<Access> accesses = TraceFile.read(trace, new OwnAccesses(program)).accesses();
        return accesses.stream()
                .filter(access -> access.store() && access.data() != Access.ELSEWHERE)
                .count();
    }
}
