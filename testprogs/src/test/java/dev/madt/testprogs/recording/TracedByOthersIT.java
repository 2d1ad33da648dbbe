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
import java.util.List;
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
