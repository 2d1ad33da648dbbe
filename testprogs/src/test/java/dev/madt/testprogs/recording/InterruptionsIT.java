package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what becomes of the program and of its trace when one of the two is stopped, interrupted
 * or killed.
 */
@Isolated("signals at moments that it waits for")
class InterruptionsIT {
    private static final int STEPS = 401;
    private static final int TERM = 128 + 15;
    private static final String ENDED = "counted " + 9 * STEPS + ", interrupts ";

    @TempDir
    Path directory;

    private Path output;
    private Path trace;

    /** {@code slow} under madt, in a process group of its own, when it has begun. */
    private Process start(String engine) throws Exception {
        output = directory.resolve("out");
        trace = directory.resolve("t.madt");
        Process launcher = new ProcessBuilder(
                        "setsid",
                        "-w",
                        MadtRun.launcher().toString(),
                        "run",
                        "--engine",
                        engine,
                        "-o",
                        trace.toString(),
                        "--",
                        MadtRun.program("slow").toString(),
                        Integer.toString(STEPS))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(directory.resolve("errors").toFile())
                .start();
        await(() -> Files.readString(output).contains("step 100"), launcher::isAlive);
        return launcher;
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(Condition condition, BooleanSupplier alive) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (!condition.holds()) {
            assertTrue(
                    System.nanoTime() < deadline && alive.getAsBoolean(),
                    () -> "no progress: " + contents(output)
                            + contents(directory.resolve("errors")));
            Thread.sleep(5);
        }
    }

    private static String contents(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static ProcessHandle descendant(Process launcher, String command) {
        return launcher.descendants()
                .filter(process -> process.info().command().orElse("").endsWith(command))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no process " + command));
    }

    private static void signal(String signal, long pid) throws Exception {
        MadtRun.command(Path.of("/"), List.of("kill", "-" + signal, "--", Long.toString(pid)))
                .expect(0);
    }

    private int join(Process launcher) throws InterruptedException {
        assertTrue(
                launcher.waitFor(10, TimeUnit.MINUTES),
                () -> "the launcher did not end: " + contents(output));
        return launcher.exitValue();
    }

    /** Stops it while nothing is known of libc yet, which is looked at first. */
    @Test
    void shouldLeaveNoTraceOfAProgramThatDoesNotBegin() throws Exception {
        trace = directory.resolve("t.madt");
        ProcessBuilder builder = new ProcessBuilder(
                        MadtRun.launcher().toString(), "run", "-o", "" + trace, "--", "sleep", "9")
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        Process launcher = builder.start();
        output = trace;
        await(() -> Files.exists(trace), launcher::isAlive);
        launcher.destroy();
        assertEquals(TERM, launcher.waitFor());
        String said = contents(directory.resolve("errors"));
        assertEquals(!said.contains("before sleep began"), Files.exists(trace), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldBringCtrlCToTheProgramOnce(String engine) throws Exception {
        Process launcher = start(engine);
        signal("INT", -group(launcher));
        assertEquals(0, join(launcher), contents(directory.resolve("errors")));
        assertTrue(Files.readString(output).endsWith(ENDED + "1\n"), contents(output));
        assertEquals("exit 0", TraceFile.check(trace).meta("ended"));
    }

    @Test
    void shouldEndByCtrlCWhatGoesOnBehindTheProgram() throws Exception {
        output = directory.resolve("out");
        Path errors = directory.resolve("errors");
        Process launcher = new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        directory.resolve("t.madt").toString(),
                        "sh",
                        "-c",
                        "sleep 1000 & echo $!")
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        await(() -> contents(errors).contains("Ctrl-C ends the recording"), launcher::isAlive);
        long left = Long.parseLong(Files.readString(output).strip());
        try {
            signal("INT", launcher.pid());
            assertEquals(0, join(launcher), contents(errors));
            assertTrue(ProcessHandle.of(left).isPresent());
        } finally {
            ProcessHandle.of(left).ifPresent(ProcessHandle::destroy);
        }
    }

    /** The process group that a terminal would send its signals to: that of the program. */
    private static long group(Process launcher) throws Exception {
        long pid = descendant(launcher, "/slow").pid();
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[2]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldHoldEverythingWhenTheProgramIsStoppedAndContinued(String engine) throws Exception {
        Process launcher = start(engine);
        long pid = descendant(launcher, "/slow").pid();
        for (int i = 0; i < 3; i++) {
            signal("STOP", pid);
            Thread.sleep(300);
            signal("CONT", pid);
            Thread.sleep(50);
        }
        assertEquals(0, join(launcher), contents(directory.resolve("errors")));
        assertTrue(Files.readString(output).endsWith(ENDED + "0\n"), contents(output));
        TraceInvariants invariants = TraceFile.check(trace);
        assertEquals("exit 0", invariants.meta("ended"));
        long stores = MadtRun.madt(directory, "print", trace.toString())
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches(
                        "S\\$\\d+:<calloc0001@main\\+\\d+>\\+\\d+,\\[heap\\],main\\+\\d+"))
                .count();
        assertEquals(10L * STEPS, stores, "stores to the counters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldLetTheProgramGoOnUntracedWhenTheLauncherIsKilled(String engine) throws Exception {
        Process launcher = start(engine);
        ProcessHandle program = descendant(launcher, "/slow");
        ProcessHandle java = program.parent().orElseThrow();
        java.destroyForcibly();
        await(
                () -> Files.readString(output).contains(ENDED + "0\n") || !program.isAlive(),
                () -> true);
        assertTrue(Files.readString(output).endsWith(ENDED + "0\n"), contents(output));
        join(launcher);
        MadtRun info = MadtRun.madt(directory, "info", trace.toString()).expect(0);
        assertTrue(info.text().contains("truncated"), info.text());
        MadtRun.madt(directory, "info", "--strict", trace.toString()).expect(3);
    }
}
