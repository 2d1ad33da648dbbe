package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: what a recording has left in a process whose madt was killed. */
class AttachLeftOverIT {
    @TempDir
    Path directory;

    private Process start(String output, String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output).toFile())
                .start();
    }

    private void await(String output, String text) throws Exception {
        Path file = directory.resolve(output);
        for (int looks = 0; looks < 3000 && !Files.readString(file).contains(text); looks++) {
            Thread.sleep(10);
        }
        assertTrue(Files.readString(file).contains(text), () -> output + " has no " + text);
    }

    /** Returns what is mapped of files, and code. */
    private static List<String> mapped(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/maps")).stream()
                .filter(line -> line.contains("/") || line.contains("x"))
                .toList();
    }

    /** The next recording takes it out, and is as any other. */
    @Test
    void shouldTakeOutWhatAKilledMadtHasLeft() throws Exception {
        Process process = start("output", MadtRun.program("attach/still").toString());
        try {
            await("output", "ready");
            List<String> before = mapped(process);
            Process killed =
                    start("said", MadtRun.launcher().toString(), "run", "-p", "" + process.pid());
            await("said", "attached to process");
            killed.destroyForcibly().waitFor();
            MadtRun run = MadtRun.told(
                            directory, "run", "-p", "" + process.pid(), "--for", "50ms", "-f")
                    .expect(0);
            assertTrue(run.errors().contains("complete until it was detached"), run.errors());
            assertEquals(before, mapped(process));
            assertTrue(process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }
}
