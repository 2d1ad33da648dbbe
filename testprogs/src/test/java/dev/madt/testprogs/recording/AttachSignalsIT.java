package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: signals that are on their way when a process is stopped. */
class AttachSignalsIT {
    private static final int ROUNDS = 2 + Integer.getInteger("madt.rounds", 1);

    @TempDir
    Path directory;

    /** By faults and sent, none is lost, and each comes with what belongs to it. */
    @Test
    void shouldLoseNoSignal() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(MadtRun.program("attach/faults").toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            for (int looks = 0; looks < 3000 && Files.size(output) == 0; looks++) {
                Thread.sleep(10);
            }
            for (int round = 0; round < ROUNDS; round++) {
                MadtRun run = MadtRun.told(
                                directory,
                                "run",
                                "-p",
                                "" + process.pid(),
                                "-f",
                                "--for",
                                "10ms",
                                "--lossy",
                                "--no-hottest",
                                "-o",
                                "a.madt")
                        .expect(0);
                assertTrue(run.errors().contains("complete until it was detached"), run.errors());
            }
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
            String said = Files.readString(output);
            assertEquals(7, said.lines().count());
            assertFalse(said.matches("(?s).* [1-9].*"), said);
        } finally {
            process.destroyForcibly();
        }
    }
}
