package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A {@code /dev/shm} that has room for two or three processes, and a shell that makes more. */
class FullSharedMemoryIT {
    private static final String CROWD = "for i in 1 2 3 4 5 6; do /bin/true & done; wait; ";
    /** Makes processes that end when all of them are there. */
    private static final String MEETING = "mkfifo here go; exec 3<>here 4<>go; for i in {1..12}; do"
            + " { echo >&3; read -u 4; exit; } & done; for i in {1..12}; do read -u 3; done;"
            + " for i in {1..12}; do echo >&4; done; wait; ";

    @TempDir
    Path directory;

    /** The others are recorded to their ends: each trace holds all that its process did. */
    @Test
    void shouldLeaveOutOnlyTheProcessesThatFindNoRoom() throws Exception {
        MadtRun run = run(MEETING + "exit 4");
        assertTrue(
                run.errors()
                        .contains(" ran untraced: /dev/shm was full. Free some space there, or"
                                + " mount it larger (mount -o remount,size=64m /dev/shm; "),
                run.errors());
        assertTrue(traces().size() > 1, run.errors());
        for (Path trace : traces()) {
            TraceFile.check(trace);
        }
    }

    /** Once others have ended there is room again, however many have tried in vain. */
    @Test
    void shouldGiveBackWhatWasTakenInVain() throws Exception {
        String crowds = "for k in {1..40}; do " + CROWD + "done; ";
        MadtRun run = run(crowds + "for i in {1..200}; do /bin/false; done; exit 4");
        List<Path> traces = traces();
        assertTrue(
                traces.stream().anyMatch(trace -> trace.getFileName().toString().startsWith("f")),
                traces + run.errors());
    }

    private MadtRun run(String script) throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: for a small /dev/shm");
        assumeTrue(
                MadtRun.command(directory, List.of("unshare", "-m", "true")).status() == 0,
                "mounts are forbidden");
        MadtRun run = MadtRun.withSharedMemory(
                        directory,
                        "5m",
                        List.of(
                                MadtRun.launcher().toString(),
                                "run",
                                "-o",
                                "traces/",
                                "--",
                                "bash",
                                "-c",
                                script))
                .expect(4);
        assertFalse(run.errors().contains("recording failed"), run.errors());
        return run;
    }

    private List<Path> traces() throws Exception {
        try (Stream<Path> files = Files.list(directory.resolve("traces"))) {
            return files.toList();
        }
    }
}
