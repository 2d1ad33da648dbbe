package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command, without the rights of root. */
@Execution(ExecutionMode.SAME_THREAD)
class OrdinaryUserIT {
    @TempDir
    static Path directory;

    private static OrdinaryUser user;

    @BeforeAll
    static void record() throws Exception {
        user = new OrdinaryUser(directory);
        user.madt("run", "-q", "-o", "a.madt", "--", program()).expect(0);
        user.madt("trace", "-q", "-o", "c.madt", "--", program()).expect(0);
    }

    private static String program() {
        return MadtRun.program("globals.O0").toString();
    }

    @Test
    void shouldCarryOutEveryCommand() throws Exception {
        List<String> commands = List.of(
                "print a.madt",
                "report a.madt",
                "report --by call c.madt",
                "info a.madt",
                "check a.madt",
                "dump a.madt",
                "diff a.madt a.madt",
                "defects a.madt",
                "view a.madt -o view.html",
                "heatmap a.madt -o heatmap.html",
                "flame c.madt -o flame.html",
                "timeline c.madt -o timeline.html",
                "convert --to callgrind a.madt -o callgrind",
                "run -q --report symbol -- " + program(),
                "doctor",
                "ctl status",
                "help",
                "help run",
                "help --man",
                "help --completion bash",
                "bench --help",
                "--include-dir",
                "--version");
        List<String> some = Tier.only(
                commands.stream(),
                "report a.madt",
                "view a.madt -o view.html",
                "convert --to callgrind a.madt -o callgrind",
                "run -q --report symbol -- " + program(),
                "ctl status",
                "help --man");
        assertAll(some.stream().map(command -> () -> {
            MadtRun run = user.madt(command.split(" "));
            assertEquals(0, run.status(), command + ": " + run.errors());
            assertFalse(run.errors().contains("\tat "), command + ": " + run.errors());
        }));
    }

    @Test
    void shouldAskItsOwnRecording() throws Exception {
        String script = "M=$0; \"$M\" run -q -o ctl.madt -- sh -c 'echo $$ > pid; exec sleep 600' &"
                + " i=0; until \"$M\" ctl status | grep -q \" $(cat pid) .*sleep\" ||"
                + " [ $i -gt 60 ]; do i=$((i + 1)); sleep 0.2; done;"
                + " \"$M\" ctl \"$(cat pid)\" status; \"$M\" ctl \"$(cat pid)\" dump;"
                + " \"$M\" ctl \"$(cat pid)\" stop;"
                + " kill \"$(cat pid)\"; wait";
        MadtRun run =
                user.command(List.of("sh", "-c", script, MadtRun.launcher().toString()));
        assertTrue(run.text().contains("recording by process "), run.text() + run.errors());
        assertTrue(run.text().contains(".dump1.madt"), run.text() + run.errors());
    }

    /** A home that is not there, is nobody's, or is another user's; no rights for others. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "env HOME=/nonexistent",
                "env HOME=/root XDG_CACHE_HOME=/ TMPDIR=/nonexistent",
            })
    @SoakCases({"env -u HOME", "env HOME=/root XDG_CACHE_HOME=/root/cache"})
    void shouldRecordWhateverItsHome(String environment) throws Exception {
        List<String> command = Stream.concat(
                        Arrays.stream(environment.split(" ")),
                        Stream.of(
                                "sh",
                                "-c",
                                "umask 077; exec \"$0\" run -f -o b.madt -- \"$1\"",
                                MadtRun.launcher().toString(),
                                program()))
                .toList();
        MadtRun run = user.command(command).expect(0);
        assertTrue(run.errors().contains(", complete\n"), run.errors());
        user.madt("check", "b.madt").expect(0);
    }

    @Test
    void shouldSayWhatItMayNotReadOrWrite() throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: for files of another user");
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.copy(user.home().resolve("a.madt"), foreign.resolve("a.madt"));
        MadtRun.command(
                        directory,
                        List.of("chmod", "600", foreign.resolve("a.madt").toString()))
                .expect(0);
        MadtRun read = user.madt("report", foreign.resolve("a.madt").toString());
        assertEquals(1, read.status(), read.errors());
        assertTrue(read.errors().contains("ermission denied"), read.errors());
        MadtRun write =
                user.madt("run", "-o", foreign.resolve("b.madt").toString(), "--", program());
        assertEquals(125, write.status(), write.errors());
        assertTrue(write.errors().contains("is not writable"), write.errors());
    }

    /** Checks that what another user has left in shared memory is no concern of this one's. */
    @Test
    void shouldNotMindOthersInSharedMemory() throws Exception {
        Path shm = Files.createDirectory(directory.resolve("shm"));
        MadtRun.command(directory, List.of("chmod", "1777", shm.toString())).expect(0);
        Path theirs = Files.createDirectory(shm.resolve("madt-1-abc"));
        Files.write(theirs.resolve("session"), new byte[4096]);
        MadtRun.command(directory, List.of("chmod", "700", theirs.toString())).expect(0);
        MadtRun run = user.command(List.of(
                "env",
                "MADT_SHM=" + shm,
                MadtRun.launcher().toString(),
                "run",
                "-f",
                "-o",
                "d.madt",
                "--",
                program()));
        run.expect(0);
        assertTrue(run.errors().contains(", complete\n"), run.errors());
        assertTrue(Files.exists(theirs.resolve("session")));
    }

    /** A program of another user's rights loads nothing of MadT's, and runs. */
    @Test
    void shouldSayThatAProgramOfOtherRightsIsNotRecorded() throws Exception {
        Path su = Path.of("/usr/bin/su");
        assumeTrue(Files.isExecutable(su), "needs su");
        MadtRun run = user.madt("run", "-f", "-o", "e.madt", "--", "sh", "-c", su + " --help; :");
        run.expect(0);
        assertTrue(run.text().contains("Usage"), run.text());
        assertTrue(
                run.errors().contains("/usr/bin/su): it has rights that the program which"),
                run.errors());
    }
}
