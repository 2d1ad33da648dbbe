package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that give up what they were allowed to do are recorded as before: {@link BatteryIT}
 * sees that they behave as alone, and this class that their traces hold what they did. Each program
 * makes a worker, which then has three threads, and a child with three threads.
 */
class PrivilegesIT {
    /** Stores that a process makes in its threads, and loads: testprogs/battery/busy.h. */
    private static final int ACCESSES = 3 * 2 * 3000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "drops_user, splice, 3",
        "drops_user, trap, 3",
        "drops_ids, splice, 4",
        "drops_capabilities, splice, 3",
        "changes_root, splice, 3",
        "changes_root, trap, 3",
        "mounts_shm, splice, 3",
        "limits_descriptors, splice, 3",
        "limits_descriptors, trap, 3",
        "closes_all, splice, 3",
        "landlocks, splice, 3",
        "filters_open, splice, 3",
        "filters_open, trap, 3",
    })
    void shouldRecordAllThatAProcessDoesWithoutItsPrivileges(
            String program, String engine, int processes) throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: to become somebody else, or have a root");
        MadtRun run = MadtRun.madt(
                directory,
                "run",
                "--engine",
                engine,
                "-o",
                "t.madt",
                "--",
                MadtRun.program("battery/" + program).toString());
        run.expect(0);
        assertFalse(run.errors().contains("untraced"), run.errors());
        assertFalse(run.errors().contains("lost"), run.errors());
        List<Path> traces = traces();
        assertEquals(processes, traces.size(), run.errors());
        long busy = 0;
        for (Path trace : traces) {
            TraceFile.check(trace);
            busy += MadtRun.madt(directory, "print", trace.toString())
                                    .text()
                                    .lines()
                                    .filter(line -> line.contains(":<calloc@busy_thread"))
                                    .count()
                            >= (engine.equals("splice") ? ACCESSES : ACCESSES / 4)
                    ? 1
                    : 0;
        }
        assertTrue(busy >= 2, "worker and child have the accesses of their threads");
    }

    private List<Path> traces() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList();
        }
    }
}
