package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error has its own text, its status, and never a stack trace. */
class ErrorsIT {
    private static final int FAILED = 125;
    private static final int CANNOT_EXECUTE = 126;
    private static final int NOT_FOUND = 127;
    private static final String PROGRAM = MadtRun.program("globals.O0").toString();

    @TempDir
    Path directory;

    private Path trace;

    @BeforeEach
    void nameTrace() {
        trace = directory.resolve("t.madt");
    }

    private MadtRun run(String... program) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("run", "-q", "-o", trace.toString(), "--"));
        arguments.addAll(List.of(program));
        return MadtRun.madt(directory, arguments.toArray(new String[0]));
    }

    /**
     * The status, nothing on stdout, and one or a few lines with the prefix that hold the words.
     */
    private static void assertRefused(MadtRun run, int status, String... words) {
        run.expect(status);
        assertEquals("", run.text());
        assertTrue(run.errors().startsWith("madt: "), run.errors());
        assertFalse(
                run.errors().contains("Exception") || run.errors().contains("\tat "), run.errors());
        for (String word : words) {
            assertTrue(run.errors().contains(word), "'" + word + "' is not in: " + run.errors());
        }
    }

    private Path copy(String program, String mode) throws IOException {
        Path copy = directory.resolve("program");
        Files.copy(MadtRun.program(program), copy);
        return Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(mode));
    }

    @Test
    void shouldRefuseAProgramThatIsNotThere() throws Exception {
        assertRefused(run("./nowhere"), NOT_FOUND, "nowhere", "no such file");
        assertRefused(
                run("no-such-command-at-all"), NOT_FOUND, "no-such-command-at-all", "not found");
    }

    @Test
    void shouldRefuseAProgramThatIsNotExecutable() throws Exception {
        assertRefused(
                run(copy("globals.O0", "rw-r--r--").toString()),
                CANNOT_EXECUTE,
                "program",
                "not executable");
    }

    @Test
    void shouldRefuseA32BitProgram() throws Exception {
        ByteBuffer elf = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        elf.put(new byte[] {0x7f, 'E', 'L', 'F', 1, 1, 1}).position(16);
        elf.putShort((short) 2)
                .putShort((short) 3)
                .putInt(1)
                .putInt(0x8048000)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        elf.putShort((short) 52).putShort((short) 32).putShort((short) 0).putShort((short) 40);
        Path program = Files.write(directory.resolve("old"), elf.array());
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertRefused(run(program.toString()), CANNOT_EXECUTE, "old", "32-bit");
    }

    @Test
    void shouldRefuseASetuidProgramAsAnOrdinaryUser() throws Exception {
        assumeTrue(isRoot(), "only root can make a setuid program of another user");
        Path program = copy("globals.O0", "rwxr-xr-x");
        MadtRun.command(directory, List.of("chmod", "4755", program.toString())).expect(0);
        MadtRun.command(directory, List.of("chmod", "1777", directory.toString()))
                .expect(0);
        List<String> asNobody = List.of(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "env",
                "HOME=" + directory);
        List<String> probe = new ArrayList<>(asNobody);
        probe.addAll(List.of(
                "test",
                "-x",
                MadtRun.launcher().toString(),
                "-a",
                "-r",
                MadtRun.root().resolve("pom.xml").toString()));
        assumeTrue(
                MadtRun.command(directory, probe).status() == 0,
                "an ordinary user cannot reach the repository");
        List<String> command = new ArrayList<>(asNobody);
        command.addAll(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-o",
                trace.toString(),
                "--",
                program.toString()));
        assertRefused(MadtRun.command(directory, command), CANNOT_EXECUTE, "program", "setuid");
    }

    @Test
    void shouldSayWhenSharedMemoryIsFull() throws Exception {
        assertRefused(withSharedMemory("1m", "-q"), FAILED, "/dev/shm", "pace");
    }

    @Test
    void shouldSayThatTheReaderOfATraceHasEnded() throws Exception {
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "sh",
                        "-c",
                        MadtRun.launcher() + " run -o - -- perl -e '$s += $_ for 1 .. 300000'"
                                + " | head -c 10 >head"));
        assertTrue(
                run.errors()
                        .contains("madt: cannot write standard output: broken pipe: its reader has"
                                + " ended. The program went on; "),
                run.errors());
    }

    @Test
    void shouldSayWhyATraceIsEmpty() throws Exception {
        MadtRun run = MadtRun.process(
                        directory,
                        "run",
                        "-o",
                        trace.toString(),
                        "--only",
                        "[heap]",
                        "--exclude",
                        "[heap]",
                        "--",
                        PROGRAM)
                .expect(0);
        assertTrue(
                run.errors()
                        .endsWith("madt: the trace has no accesses: --only and --exclude leave no"
                                + " memory that the program accessed.\n"),
                run.errors());
    }

    /** A smaller buffer is enough for a program that is not in a hurry. */
    @Test
    void shouldRecordWithLittleSharedMemory() throws Exception {
        MadtRun run = withSharedMemory("4m", "-f").expect(0);
        assertTrue(run.errors().contains(", complete"), run.errors());
    }

    private MadtRun withSharedMemory(String size, String option) throws Exception {
        assumeTrue(
                MadtRun.withSharedMemory(directory, size, List.of("true")).status() == 0,
                "mounts are forbidden");
        return MadtRun.withSharedMemory(
                directory,
                size,
                List.of(
                        MadtRun.launcher().toString(),
                        "run",
                        option,
                        "-o",
                        trace.toString(),
                        "--",
                        PROGRAM));
    }

    /** The buffer, too, is a file that the program's process makes. */
    @ParameterizedTest
    @ValueSource(strings = {"ulimit -S -f 100", "ulimit -f 100"})
    void shouldLeaveALimitOnTheSizeOfFilesToTheProgram(String limit) throws Exception {
        String script = limit + "; " + PROGRAM + "; echo $?; ulimit -f";
        MadtRun alone = MadtRun.command(directory, List.of("bash", "-c", script));
        MadtRun run = run("bash", "-c", script).expect(0);
        assertEquals(alone.text(), run.text());
        assertTrue(
                run.errors().isEmpty()
                        || limit.equals("ulimit -f 100")
                                && run.errors().contains("1 process ran untraced: file too large"),
                run.errors());
    }

    /** Pages that are closed are not counted as data; those that are opened are, and MadT's own. */
    @Test
    void shouldLeaveALimitOnDataToTheProgram() throws Exception {
        String script = "ulimit -S -d 1000; " + PROGRAM + "; echo $?; ulimit -d";
        MadtRun alone = MadtRun.command(directory, List.of("bash", "-c", script));
        List<String> words = List.of("run", "-q", "--engine", "trap", "-o", trace.toString());
        words = new ArrayList<>(words);
        words.addAll(List.of("--", "bash", "-c", script));
        MadtRun run = MadtRun.madt(directory, words.toArray(new String[0])).expect(0);
        assertEquals(alone.text(), run.text());
        assertEquals("", run.errors());
    }

    @Test
    void shouldRefuseAnOutputThatCannotBeWritten() throws Exception {
        trace = directory.resolve("no/such/directory/t.madt");
        assertRefused(run(PROGRAM), FAILED, "cannot write", trace.toString());
    }

    /** The disk takes the name of a file, and none of its bytes. */
    @Test
    void shouldLeaveNoEmptyFileOnAFullDisk() throws Exception {
        assumeTrue(OrdinaryUser.isRoot(), "needs root: for a small disk");
        Files.createDirectory(directory.resolve("small"));
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=64k tmpfs small;"
                                + " head -c 99999 /dev/zero >small/fill 2>&-; "
                                + MadtRun.launcher()
                                + " run -o small/t.madt -- ls; echo $?; ls small"));
        assertEquals("125\nfill\n", run.text(), run.errors());
        assertEquals("madt: cannot write small/t.madt: no space left on device.\n", run.errors());
    }

    @Test
    void shouldNotOverwriteWithoutBeingTold() throws Exception {
        Files.writeString(trace, "precious");
        assertRefused(run(PROGRAM), FAILED, trace.toString(), "-f");
        assertEquals("precious", Files.readString(trace));
        MadtRun.madt(directory, "run", "-q", "-f", "-o", trace.toString(), "--", PROGRAM)
                .expect(0);
        TraceFile.check(trace);
    }

    @Test
    void shouldReadATruncatedTraceUpToItsLastWholeFrame() throws Exception {
        run(PROGRAM).expect(0);
        byte[] whole = Files.readAllBytes(trace);
        Path cut =
                Files.write(directory.resolve("cut.madt"), Arrays.copyOf(whole, whole.length - 99));
        MadtRun all = MadtRun.madt(directory, "print", trace.toString()).expect(0);
        MadtRun part = MadtRun.madt(directory, "print", cut.toString()).expect(0);
        assertTrue(
                part.errors().startsWith("madt: ") && part.errors().contains("cut.madt"),
                part.errors());
        assertTrue(
                part.errors().contains("truncated") || part.errors().contains("incomplete"),
                part.errors());
        assertTrue(
                all.text().startsWith(part.text()),
                "the lines of a truncated trace are not the first lines of the whole one");
        MadtRun.madt(directory, "print", "--strict", cut.toString()).expect(3);
        MadtRun.madt(directory, "info", "--strict", cut.toString()).expect(3);
    }

    @Test
    void shouldRefuseWhatIsNoTrace() throws Exception {
        Path foreign = Files.writeString(
                directory.resolve("foreign.madt"), "This file has another format.\n".repeat(9));
        assertRefused(
                MadtRun.madt(directory, "print", foreign.toString()),
                1,
                "foreign.madt",
                "not a MadT trace");
        Path empty = Files.write(directory.resolve("empty.madt"), new byte[0]);
        assertRefused(MadtRun.madt(directory, "info", empty.toString()), 1, "empty.madt", "empty");
        assertRefused(
                MadtRun.madt(directory, "info", directory.resolve("none.madt").toString()),
                1,
                "none.madt");
    }

    @Test
    void shouldRefuseUnknownOptionsAndCommands() throws Exception {
        assertRefused(
                MadtRun.madt(directory, "run", "--txet", "-", "--", PROGRAM),
                FAILED,
                "--txet",
                "Did you mean '--text'");
        assertRefused(MadtRun.madt(directory, "print", "--symbolc", "x.madt"), 2, "--symbolc");
        assertRefused(
                MadtRun.madt(directory, "runn", "--", PROGRAM), 2, "'runn'", "Did you mean 'run'");
        assertRefused(MadtRun.madt(directory, "run", "-q"), FAILED, "program");
    }

    private static boolean isRoot() throws Exception {
        return new String(
                        new ProcessBuilder("id", "-u").start().getInputStream().readAllBytes())
                .trim()
                .equals("0");
    }
}
