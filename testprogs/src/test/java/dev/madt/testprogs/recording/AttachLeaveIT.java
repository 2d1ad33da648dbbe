package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of {@code madt run -p PID}: all threads of a process leave at the first request. */
class AttachLeaveIT {
    private static final int ROUNDS = 4;
    private static final String THREADS = "8";

    @TempDir
    Path directory;

    /**
     * Some threads wait in the library then, until the recorder has taken their events; others in
     * the kernel, and these have left when the first ones have.
     */
    @Test
    void shouldLeaveAtTheFirstRequestWhereThreadsWaitForTheRecorder() throws Exception {
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(
                        MadtRun.program("attach/busy").toString(), THREADS, "200")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        int again = 0;
        try {
            String options = "-v -f --no-hottest --for 50ms -o a.madt -p " + process.pid();
            for (int round = 0; round < ROUNDS; round++) {
                MadtRun run = MadtRun.repeated(directory, ("run " + options).split(" "));
                assertEquals(0, run.status(), run.errors());
                assertTrue(run.errors().contains("complete until it was detached"), run.errors());
                if (run.errors().contains("process " + process.pid() + " was asked to leave ")) {
                    again++;
                }
            }
            MadtRun.command(directory, List.of("kill", "" + process.pid())).expect(0);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), Files.readString(said));
        assertTrue(Files.readString(said).contains(" 0 wrong"), Files.readString(said));
        assertTrue(again < ROUNDS / 2, again + " of " + ROUNDS + " were asked again");
    }
}
