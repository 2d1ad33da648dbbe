package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.natives.Libc;
import dev.madt.session.ProgramFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunErrorsTest {
    @TempDir
    Path folder;

    private Path file(String name, byte[] bytes, String permissions) throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, bytes);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        return file;
    }

    private static byte[] elf(int wordClass, int machine, int type) {
        ByteBuffer head = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(0, 0x464c457f).put(4, (byte) wordClass).put(5, (byte) 1);
        head.putShort(16, (short) type).putShort(18, (short) machine).putShort(54, (short) 56);
        return head.array();
    }

    private static void assertRefused(int status, String message, String... command)
            throws IOException, InterruptedException {
        String[] arguments = new String[command.length + 1];
        arguments[0] = "run";
        System.arraycopy(command, 0, arguments, 1, command.length);
        MadtProcess.Outcome outcome = MadtProcess.run(arguments);
        assertEquals("madt: " + message + "\n", outcome.err());
        assertEquals(status, outcome.status());
        assertEquals("", outcome.out());
    }

    @Test
    void shouldReturn127ForAProgramThatIsNotInPath() throws Exception {
        assertRefused(127, "cannot run 'no-such-program': not found in PATH.", "no-such-program");
    }

    @Test
    void shouldReturn127ForAFileThatIsNotThere() throws Exception {
        assertRefused(127, "cannot run '/no/such/file': no such file.", "/no/such/file");
    }

    @Test
    void shouldReturn126ForAFileThatIsNotExecutable() throws Exception {
        Path file = file("plain", new byte[10], "rw-r--r--");
        assertRefused(
                126,
                "cannot run '" + file + "': not executable. Try: chmod +x " + file,
                file.toString());
    }

    @Test
    void shouldReturn126ForADirectory() throws Exception {
        assertRefused(126, "cannot run '" + folder + "': it is a directory.", folder.toString());
    }

    @Test
    void shouldRefuseAStaticProgramWithWhatNeedsALoader() throws Exception {
        Path program = NativeProgram.program("own_status", "-static");
        assertRefused(
                126,
                "cannot trace " + program + " so: it is statically linked, which goes with --engine"
                        + " splice alone, and without --tls.",
                "--engine",
                "trap",
                program.toString());
    }

    @Test
    void shouldRefuseA32BitProgram() throws Exception {
        Path program = file("old", elf(1, 3, 2), "rwxr-xr-x");
        assertRefused(
                126,
                "cannot trace " + program + ": it is a 32-bit program; madt traces x86-64 only.",
                program.toString());
        assertTrue(ProgramFile.isOf32Bits(program.toString()));
        assertFalse(ProgramFile.isOf32Bits("/bin/true"));
    }

    @Test
    void shouldRefuseAProgramForAnotherMachine() throws Exception {
        Path program = file("arm", elf(2, 183, 3), "rwxr-xr-x");
        assertRefused(
                126,
                "cannot trace " + program + ": it is for another machine (ELF machine 183); "
                        + "madt traces x86-64 only.",
                program.toString());
    }

    @Test
    void shouldRefuseWhatIsNeitherElfNorScript() throws Exception {
        Path program = file("text", "echo hello\n".getBytes(), "rwxr-xr-x");
        assertRefused(
                126,
                "cannot run " + program + ": neither an ELF program nor a script with a '#!' line. "
                        + "If it is a shell script: madt run -- sh " + program,
                program.toString());
    }

    @Test
    void shouldLookAtTheInterpreterOfAScript() throws Exception {
        Path interpreter = file("old", elf(1, 3, 2), "rwxr-xr-x");
        Path script = file("script", ("#!" + interpreter + " -x\n").getBytes(), "rwxr-xr-x");
        assertRefused(
                126,
                "cannot trace " + interpreter
                        + ": it is a 32-bit program; madt traces x86-64 only.",
                script.toString());
    }

    @Test
    void shouldNameAnInterpreterThatIsNotThere() throws Exception {
        Path script = file("script", "#!/no/such/sh\n".getBytes(), "rwxr-xr-x");
        assertRefused(
                127,
                "cannot run " + script + ": its interpreter '/no/such/sh' is not there.",
                script.toString());
    }

    @Test
    void shouldNotOverwriteUnasked() throws Exception {
        Path output = file("t.madt", new byte[] {1, 2, 3}, "rw-r--r--");
        Path program = NativeProgram.program("own_status");
        assertRefused(
                125,
                output + " exists. Overwrite it with -f, or choose another name with -o FILE.",
                "-o",
                output.toString(),
                program.toString());
        assertEquals(3, Files.size(output));
    }

    @Test
    void shouldRefuseAnOutputInADirectoryThatIsNotThere() throws Exception {
        Path output = folder.resolve("none/t.madt");
        Path program = NativeProgram.program("own_status");
        assertRefused(
                125,
                "cannot write " + output + ": there is no directory " + output.getParent()
                        + ". Make it with: mkdir -p " + output.getParent(),
                "-o",
                output.toString(),
                program.toString());
        assertFalse(Files.exists(output.getParent()));
    }

    @Test
    void shouldSayThatTheSessionDirectoryCannotBeMade() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                MadtProcess.command("run", NativeProgram.program("own_status").toString()));
        builder.environment().put("MADT_SHM", "/no/such/shm");
        MadtProcess.Outcome outcome = MadtProcess.finish(builder);
        assertEquals(125, outcome.status());
        assertTrue(
                outcome.err()
                        .startsWith("madt: cannot make the session directory in /no/such/shm: "),
                outcome.err());
    }

    @Test
    void shouldRefuseASetuidProgramOfAnotherUser() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/setpriv")) && Libc.geteuid() == 0,
                "needs root and setpriv to become an ordinary user");
        Path program = Path.of("/usr/bin/passwd");
        Assumptions.assumeTrue(
                Files.exists(program)
                        && ((int) Files.getAttribute(program, "unix:mode") & 04000) != 0,
                "no setuid program here");
        ProcessBuilder builder = new ProcessBuilder(
                MadtProcess.command("run", "-o", "/tmp/%p.madt", program.toString()));
        builder.command().addAll(0, List.of("setpriv", "--reuid=65534", "--clear-groups"));
        MadtProcess.Outcome outcome = MadtProcess.finish(builder);
        Assumptions.assumeFalse(
                outcome.err().startsWith("Error: "),
                "an ordinary user cannot reach the class path");
        assertEquals(
                "madt: cannot trace /usr/bin/passwd: it is setuid, and the loader ignores preloaded"
                        + " libraries there. Run madt as root, or trace a copy: cp"
                        + " /usr/bin/passwd .\n",
                outcome.err());
        assertEquals(126, outcome.status());
    }

    @Test
    void shouldRefuseForeignAndEmptyTraces() throws Exception {
        Path empty = file("empty.madt", new byte[0], "rw-r--r--");
        Path foreign = file("foreign.madt", "hello, hello, hello".getBytes(), "rw-r--r--");
        for (String command : new String[] {"info", "print"}) {
            MadtProcess.Outcome outcome = MadtProcess.run(command, empty.toString());
            assertEquals(1, outcome.status());
            assertTrue(
                    outcome.err().startsWith("madt: " + empty + ", byte 0: the file is empty"),
                    outcome.err());
            outcome = MadtProcess.run(command, foreign.toString());
            assertEquals(1, outcome.status());
            assertTrue(
                    outcome.err().startsWith("madt: " + foreign + ", byte 0: not a MadT trace"),
                    outcome.err());
            outcome = MadtProcess.run(command, folder.resolve("none").toString());
            assertEquals(1, outcome.status());
            assertEquals(
                    "madt: " + folder.resolve("none") + ": no such file or directory\n",
                    outcome.err());
        }
    }
}
