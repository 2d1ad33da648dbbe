package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools that trace a program show the same of it in a recorded run as alone. */
class TracedByOthersIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldShowStraceTheCallsOfTheProgramAlone(String engine) throws Exception {
        assumeTrue(engine.equals("splice") || Tier.SOAK, "engine trap takes minutes for all");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        List<String> alone = calls(List.of());
        assertTrue(alone.contains("execve") && alone.size() > 20, alone.toString());
        assertEquals(
                alone,
                calls(List.of(
                        MadtRun.launcher().toString(),
                        "run",
                        "-q",
                        "-f",
                        "--engine",
                        engine,
                        "-o",
                        directory.resolve("t.madt").toString(),
                        "--")));
    }

    /** A tracer at one thread of a process: no call of the others ends early when that is found. */
    @Test
    void shouldBreakOffNoCallOfAProcessThatItRefuses() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        Path said = directory.resolve("said");
        Process busy = busy(said, "" + Tier.of(58, 20));
        // one of the last to begin: they allocate, and wait for nothing
        List<Integer> threads = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + busy.pid() + "/task"))) {
            tasks.forEach(
                    task -> threads.add(Integer.parseInt(task.getFileName().toString())));
        }
        Collections.sort(threads);
        int thread = threads.get(threads.size() - 3);
        Process tracer = new ProcessBuilder(
                        "strace", "-qq", "-e", "trace=none", "-o", "/dev/null", "-p", "" + thread)
                .start();
        try {
            Path status = Path.of("/proc/" + busy.pid() + "/task/" + thread + "/status");
            while (Files.readString(status).contains("\nTracerPid:\t0\n")) {
                assertTrue(tracer.isAlive(), "strace has ended");
                Thread.sleep(10);
            }
            for (int i = 0; i < 3; i++) {
                MadtRun run = MadtRun.told(directory, "run", "-p", "" + busy.pid());
                assertEquals(125, run.status());
                assertTrue(run.errors().contains("is traced by process"), run.errors());
            }
        } finally {
            tracer.destroy();
            tracer.waitFor();
            busy.destroy();
        }
        assertSound(busy, said);
    }

    /** Its children end while some of its threads are stopped, and some are not. */
    @Test
    void shouldBreakOffNoCallWhereThreadsAreStoppedSlowly() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is not installed");
        Path said = directory.resolve("said");
        Process busy = busy(said, "6");
        try {
            for (int i = 0; i < Tier.of(10, 1); i++) {
                List<String> command = new ArrayList<>(
                        List.of("strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"));
                command.addAll(List.of(
                        "-e",
                        "trace=ptrace",
                        "-e",
                        "inject=ptrace:delay_exit=" + Tier.of(9000, 1500)));
                command.addAll(List.of(MadtRun.launcher().toString(), "run", "-f", "-o"));
                command.addAll(List.of(directory.resolve("t.madt").toString(), "--for", "50ms"));
                command.addAll(List.of("-p", "" + busy.pid()));
                MadtRun.command(directory, command).expect(0);
            }
        } finally {
            busy.destroy();
        }
        assertSound(busy, said);
    }

    private static Process busy(Path said, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, MadtRun.program("attach/busy").toString());
        Process busy = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Thread.sleep(300);
        return busy;
    }

    private static void assertSound(Process busy, Path said) throws InterruptedException {
        assertEquals(0, busy.waitFor(), () -> said(said));
        assertTrue(said(said).contains(" 0 wrong"), () -> said(said));
    }

    private static String said(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The names of all calls, and the signals. */
    private List<String> calls(List<String> prefix) throws IOException, InterruptedException {
        Path lines = directory.resolve("calls");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                "strace", "-f", "-o", lines.toString(), "/bin/sh", "-c", "ls -d / && exec true"));
        assertEquals("/\n", MadtRun.command(directory, command).expect(0).text());
        List<String> calls = new ArrayList<>();
        for (String line : Files.readAllLines(lines)) {
            String call = line.replaceFirst("^[0-9]+ +", "");
            if (!call.startsWith("<...")) {
                calls.add(call.replaceFirst("[({].*", "").strip());
            }
        }
        // two processes: their order is open, and a shell waits in one call or in two
        return calls.stream().filter(call -> !call.equals("wait4")).sorted().toList();
    }

    /** By engine splice alone: gdb itself is recorded, and traps take minutes for that. */
    @Test
    @Soak
    void shouldLetGdbRunAProgram() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "gdb is not installed");
        String program = MadtRun.program("crash_null.O0").toString();
        List<String> gdb =
                List.of("gdb", "-q", "-nx", "--batch", "-ex", "run", "-ex", "bt", program);
        List<String> recorded = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-f",
                "-o",
                directory.resolve("t.madt").toString(),
                "--"));
        recorded.addAll(gdb);
        String alone = told(MadtRun.command(directory, gdb));
        assertTrue(alone.contains("SIGSEGV") && alone.contains("#0"), alone);
        assertEquals(alone, told(MadtRun.command(directory, recorded)));
    }

    private static String told(MadtRun run) {
        return run.text() + run.errors();
    }
}
