package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code madt run -p PID} where threads are on their way into a fork, and out of it, most of the
 * time. {@code -Dmadt.rounds=1000} says how many recordings a soak makes.
 */
class AttachForksIT {
    private static final int ROUNDS = Tier.of(Integer.getInteger("madt.rounds", 200), 4);

    @TempDir
    Path directory;

    /** Children take part in the recording, or run alone. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--no-follow "})
    void shouldLeaveThreadsThatForkAndTheirChildrenAsTheyWere(String follow) throws Exception {
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(MadtRun.program("attach/forks").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            String options = "-f --no-hottest --lossy --for 20ms -o a.madt -p " + process.pid();
            for (int round = 0; round < ROUNDS; round++) {
                String[] command = ("run " + follow + options).split(" ");
                MadtRun run = MadtRun.repeated(directory, command);
                String where = "round " + round + ": " + run.errors() + Files.readString(said);
                assertEquals(0, run.status(), where);
                assertTrue(run.errors().contains("complete until it was detached"), where);
                assertFalse(run.errors().contains("stays mapped"), where);
                assertEquals("", Files.readString(said), where);
            }
            MadtRun.command(directory, List.of("kill", "" + process.pid())).expect(0);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
        assertTrue(Files.readString(said).endsWith(" 0 wrong\n"), Files.readString(said));
        assertEquals(0, process.exitValue());
    }

    /** Children come all the time, and outlive the recording's time: it ends for all of them. */
    @Test
    void shouldEndWhileChildrenComeAndStay() throws Exception {
        String script = "import os, time\n"
                + "for i in range(400):\n"
                + "    if os.fork() == 0:\n"
                + "        time.sleep(60)\n"
                + "        os._exit(0)\n"
                + "    time.sleep(0.05)\n";
        Process process = new ProcessBuilder("/usr/bin/python3", "-c", script).start();
        try {
            Thread.sleep(500);
            String options = "--no-hottest --for 300ms -o a.madt -p " + process.pid();
            MadtRun run = MadtRun.madt(directory, ("run " + options).split(" "));
            assertEquals(0, run.status(), run.errors());
            assertTrue(process.isAlive(), "the recording has lasted as long as the process");
            List<String> wrote = run.errors()
                    .lines()
                    .filter(line -> line.contains(": wrote "))
                    .toList();
            assertTrue(wrote.size() > 1, run.errors());
            wrote.forEach(line -> assertTrue(line.endsWith(" until it was detached"), line));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
