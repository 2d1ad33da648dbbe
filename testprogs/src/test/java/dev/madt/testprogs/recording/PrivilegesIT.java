package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that give up what they were allowed to do are recorded as before: {@link BatteryIT}
 * sees that they behave as alone, and this class that their traces hold what they did. Each program
 * makes a worker, which then has three threads, and a child with three threads.
 */
class PrivilegesIT {
    /** Stores that a process makes in its threads, and loads: testprogs/battery/busy.h. */
    private static final int ACCESSES = 3 * 2 * 3000;

    private static final Pattern COUNT = Pattern.compile(": ([0-9,]+) accesses");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "drops_ids, splice, 4",
        "changes_root, splice, 3",
        "limits_descriptors, splice, 3",
        "landlocks, splice, 3",
        "filters_open, splice, 3",
        "drops_user, trap, 3",
    })
    @SoakCases({
        "drops_user, splice, 3",
        "drops_capabilities, splice, 3",
        "changes_root, trap, 3",
        "mounts_shm, splice, 3",
        "limits_descriptors, trap, 3",
        "closes_all, splice, 3",
        "filters_open, trap, 3"
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
        for (Path trace : traces) {
            TraceFile.check(trace);
        }
        long busy = COUNT.matcher(run.errors())
                .results()
                .map(count -> Long.parseLong(count.group(1).replace(",", "")))
                .filter(count -> count >= (engine.equals("splice") ? ACCESSES : ACCESSES / 2))
                .count();
        assertEquals(processes - 1, busy, run.errors());
    }

    private List<Path> traces() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList();
        }
    }

    /** A program that changes its user and executes another one, which finds MadT's files. */
    @Test
    void shouldRecordWhatAnotherUserExecutes() throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: to become somebody else");
        Path program = MadtRun.program("battery/no_environment");
        assumeTrue(
                new OrdinaryUser(directory).command(List.of(program.toString())).status() == 7);
        MadtRun run = MadtRun.madt(
                directory,
                "run",
                "-o",
                "t.madt",
                "--",
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                program.toString());
        assertEquals(7, run.status(), run.errors());
        assertFalse(run.errors().contains("not recorded"), run.errors());
        assertEquals(4, traces().size(), "setpriv, and the program three times: " + run.errors());
    }

    /** Nobody else may find the session of a recording by its directory. */
    @Test
    void shouldLetNoOtherUserLookIntoASession() throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: to become somebody else");
        Path shm = Files.createDirectory(directory.resolve("shm"));
        MadtRun.command(directory, List.of("chmod", "755", directory.toString(), shm.toString()))
                .expect(0);
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "env",
                        "MADT_SHM=" + shm,
                        MadtRun.launcher().toString(),
                        "run",
                        "-q",
                        "--",
                        "setpriv",
                        "--reuid=65534",
                        "--regid=65534",
                        "--clear-groups",
                        "sh",
                        "-c",
                        "ls " + shm + "; ls " + shm + "/madt-*; ls " + shm
                                + "/madt-*/*; echo seen"));
        assertTrue(run.text().matches("madt-[0-9a-f-]+\nseen\n"), run.text() + run.errors());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rm -r SHM/madt-*; /bin/true; exit 0"
                        + "| MadT's files in shared memory were removed",
                "setpriv --euid=65534 /bin/true; exit 0 | it has rights that the program",
                "unshare -m sh -c 'mount -t tmpfs none SHM; /bin/true; exit 0'"
                        + "| cannot reach MadT's files",
            })
    void shouldSayWhyAProgramIsNotRecorded(String script, String reason) throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: for a mount, and another user");
        Path shm = Files.createDirectory(directory.resolve("shm"));
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "env",
                        "MADT_SHM=" + shm,
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        "t.madt",
                        "--",
                        "sh",
                        "-c",
                        script.replace("SHM", shm.toString())));
        run.expect(0);
        assertTrue(run.errors().contains("madt: not recorded: 1 program ("), run.errors());
        assertTrue(run.errors().contains(reason.strip()), run.errors());
        MadtRun info = MadtRun.madt(directory, "info", "t.madt");
        assertTrue(info.text().contains("not traced: "), info.text());
        assertTrue(info.text().contains(reason.strip()), info.text());
    }

    /** Threads that hold all the memory that there is, and wait for one that gets none. */
    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldNotWaitForMemoryThatNeverComes(String engine) throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: for a small /dev/shm");
        String program = MadtRun.program("battery/threads_meet").toString();
        MadtRun run = MadtRun.withSharedMemory(
                directory,
                "6000k",
                List.of(
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        "t.madt",
                        "--engine",
                        engine,
                        "--",
                        program));
        run.expect(0);
        assertEquals(MadtRun.command(directory, List.of(program)).text(), run.text(), run.errors());
        String told = "complete until there was no shared memory for more";
        assertTrue(run.errors().contains(told), run.errors());
        assertTrue(run.errors().contains("nobody knows how many"), run.errors());
        int left = 0;
        for (Path trace : traces()) {
            TraceFile.check(trace);
            MadtRun info = MadtRun.madt(directory, "info", "--strict", trace.toString());
            left += info.text().contains(told) ? 1 : 0;
            info.expect(info.text().contains(told) ? 3 : 0);
        }
        assertTrue(left > 0, "traces that say so");
    }
}
