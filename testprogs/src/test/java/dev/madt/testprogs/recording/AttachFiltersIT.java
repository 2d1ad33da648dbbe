package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code madt run -p PID} of processes under seccomp filters of their own, which root alone can
 * read.
 */
class AttachFiltersIT {
    private static final String PROGRAM = "" + MadtRun.program("attach/shut_in");

    @TempDir
    Path directory;

    private Process process;

    @BeforeEach
    void assumeThatFiltersCanBeRead() throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "only root can read filters");
        assumeTrue(
                Files.readString(Path.of("/proc/self/status")).contains("\nSeccomp:\t0\n"),
                "only root can read filters, and under none itself");
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private MadtRun attach(String how) throws Exception {
        process = new ProcessBuilder(PROGRAM, how)
                .redirectError(directory.resolve("errors").toFile())
                .start();
        assertEquals("ready", process.inputReader().readLine());
        return MadtRun.told(
                directory, ("run -f --for 100ms -o a.madt -p " + process.pid()).split(" "));
    }

    /** The second time, it has left the process as it was. */
    @ParameterizedTest
    @ValueSource(strings = {"allows", "container", "family", "exactly"})
    void shouldRecordUnderFiltersThatLetItPass(String how) throws Exception {
        MadtRun run = attach(how);
        assertEquals(0, run.status(), run.errors());
        assertTrue(run.errors().contains("complete until it was detached"), run.errors());
        String sites = MadtRun.madt(directory, "report", "--by", "function", "a.madt")
                .expect(0)
                .text();
        assertTrue(sites.contains("work"), sites);
        assertTrue(process.isAlive());
        String maps = Files.readString(Path.of("/proc/" + process.pid() + "/maps"));
        assertFalse(maps.contains("madt"), maps);
    }

    @ParameterizedTest
    @CsvSource({
        "forbids, forbids madt's tgkill",
        "thread, forbids madt's tgkill",
        "argument, forbids madt's m",
        "place, looks at where system calls are made"
    })
    void shouldSayWhatAFilterForbids(String how, String why) throws Exception {
        MadtRun run = attach(how);
        assertEquals(125, run.status(), run.errors());
        assertTrue(run.errors().contains(why), run.errors());
        assertFalse(Files.exists(directory.resolve("a.madt")));
        Thread.sleep(100);
        assertTrue(process.isAlive());
    }

    @Test
    void shouldRefuseWhereFiltersCannotBeRead() throws Exception {
        MadtRun run = new OrdinaryUser(directory)
                .command(List.of(
                        "sh",
                        "-c",
                        PROGRAM
                                + " allows > out & until grep -q ready out; do sleep 0.1; done; "
                                + MadtRun.launcher()
                                + " run -p $! --for 50ms -o u.madt; s=$?; kill $!; echo $s"));
        assumeTrue(!run.errors().contains("ptrace_scope"), "tracing is permitted");
        assertTrue(run.text().endsWith("125\n"), run.text() + run.errors());
        assertTrue(
                run.errors().contains("is under a seccomp filter of its own")
                        && run.errors().contains("as root of the host"),
                run.errors());
    }
}
