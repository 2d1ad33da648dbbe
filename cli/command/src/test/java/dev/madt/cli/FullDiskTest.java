package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.bench.SyntheticTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small file systems in a mount namespace of their own; where the machine forbids that, the tests
 * are skipped.
 */
class FullDiskTest {
    @TempDir
    Path folder;

    @BeforeEach
    void needsMountNamespaces() throws Exception {
        MadtProcess.Outcome outcome = MadtProcess.finish(new ProcessBuilder(
                "unshare",
                "-m",
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=1m",
                "tmpfs",
                folder.toString()));
        Assumptions.assumeTrue(outcome.status() == 0, "mounts are forbidden: " + outcome.err());
    }

    private MadtProcess.Outcome withDisk(
            String size, Path place, String script, List<String> command) throws Exception {
        List<String> whole = new ArrayList<>(List.of(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount -t tmpfs -o size=" + size + " tmpfs " + place + " && \"$@\"; status=$?; "
                        + script + " >&2; exit $status",
                "sh"));
        whole.addAll(command);
        return MadtProcess.finish(new ProcessBuilder(whole));
    }

    @Test
    void shouldRefuseToStartWhenSharedMemoryIsFull() throws Exception {
        List<String> command = MadtProcess.command(
                "run",
                "-o",
                folder.resolve("t").toString(),
                NativeProgram.program("fake_target").toString(),
                "order",
                "1");
        MadtProcess.Outcome outcome = withDisk("2m", Path.of("/dev/shm"), "ls /dev/shm", command);
        assertEquals(125, outcome.status());
        assertEquals(
                "madt: /dev/shm is full: a shared buffer of 4096 KiB does not fit. Free some space"
                        + " there, or mount it larger (mount -o remount,size=64m /dev/shm; for a"
                        + " container: --shm-size=64m).\n",
                outcome.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.png", "t.svg", "t.html"})
    void shouldNameTheFileThatDoesNotFit(String name) throws Exception {
        Path trace = folder.resolve("trace.madt");
        SyntheticTrace.write(trace, 1_013);
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path file = disk.resolve(name);
        List<String> command =
                MadtProcess.command("heatmap", "-o", file.toString(), trace.toString());
        MadtProcess.Outcome outcome = withDisk("4k", disk, "ls " + disk, command);
        assertEquals(1, outcome.status(), outcome.err());
        assertEquals("madt: cannot write " + file + ": no space left on device\n", outcome.err());
    }

    @Test
    void shouldNameTheFolderWhoseFilesDoNotFit() throws Exception {
        Path trace = folder.resolve("trace.madt");
        SyntheticTrace.write(trace, 100_003);
        Path disk = Files.createDirectory(folder.resolve("disk"));
        List<String> command = MadtProcess.command(
                "convert", "--to", "parquet", "-o", disk.toString(), trace.toString());
        MadtProcess.Outcome outcome = withDisk("4k", disk, "true", command);
        assertEquals(1, outcome.status(), outcome.err());
        assertEquals(
                "madt: cannot write to " + disk + ": no space left on device\n", outcome.err());
    }

    @Test
    void shouldKeepWhatIsWrittenWhenTheDiskFillsUp() throws Exception {
        Path output = folder.resolve("t.madt");
        List<String> command = MadtProcess.command(
                "run",
                "--engine",
                "trap",
                "-o",
                output.toString(),
                NativeProgram.program("fake_target").toString(),
                "order",
                "1000003");
        String look = String.join(" ", MadtProcess.command("info", output.toString()));
        MadtProcess.Outcome outcome = withDisk("4k", folder, look, command);
        assertEquals(7, outcome.status(), outcome.err());
        assertTrue(
                outcome.err()
                        .contains("madt: cannot write " + output
                                + ": no space left on device. The program went on; "),
                outcome.err());
        assertTrue(outcome.err().contains("trace is        truncated: "), outcome.err());
        String saved = outcome.err().replaceAll("(?s).*went on; ([0-9,]+) access.*", "$1");
        assertTrue(outcome.err().contains("accesses        " + saved + "\n"), outcome.err());
    }
}
