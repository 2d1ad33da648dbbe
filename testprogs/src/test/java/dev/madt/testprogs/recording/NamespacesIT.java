package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that go on in namespaces and behind roots of their own behave as alone, are recorded,
 * and are known by this namespace's pids.
 */
class NamespacesIT {
    @TempDir
    Path directory;

    /** The last column: how the processes' images ended, as {@code info} lists them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "splice | unshare -Urpf sh -c 'sh -c \"exit 3\"; echo $$; exit 4' | sh exit 4, sh"
                        + " exit 3, unshare exec, unshare exit 4",
                "trap | unshare -Urpf sh -c 'sh -c \"exit 3\"; echo $$; exit 4' | sh exit 4, sh"
                        + " exit 3, unshare exec, unshare exit 4",
                "splice | unshare -Urpf unshare -pf sh -c 'echo $$; exit 6' | sh exit 6, unshare"
                        + " exec, unshare exec, unshare exit 6, unshare exit 6",
                "trap | unshare -Urpf unshare -pf sh -c 'echo $$; exit 6' | sh exit 6, unshare"
                        + " exec, unshare exec, unshare exit 6, unshare exit 6",
                "splice | unshare -Urm sh -c 'mount -t tmpfs none /dev/shm; cat /etc/hostname; exit"
                        + " 9' | cat exit 0, mount exit 0, sh exec, sh exit 9, unshare exec",
                "trap | unshare -Urm sh -c 'mount -t tmpfs none /dev/shm; cat /etc/hostname; exit"
                        + " 9' | cat exit 0, mount exit 0, sh exec, sh exit 9, unshare exec",
                "splice | unshare -Ur chroot / sh -c 'echo in; exit 2' | chroot exec, sh exit 2,"
                        + " unshare exec",
                "trap | unshare -Ur chroot / sh -c 'echo in; exit 2' | chroot exec, sh exit 2,"
                        + " unshare exec"
            })
    void shouldFollowIntoNamespaces(String engine, String command, String images) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || command.contains("-Urm"),
                "engine trap takes minutes for all");
        MadtRun plain = MadtRun.command(directory, List.of("sh", "-c", "exec " + command));
        assumeTrue(!plain.errors().contains("unshare"), "no user namespaces: " + plain.errors());
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                MadtRun.launcher() + " run -q --engine " + engine + " -o " + trace
                                        + " -- " + command))
                .expect(plain.status());
        assertEquals(plain.text(), run.text());
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        List<String> listed = info.lines()
                .filter(line -> line.matches("  \\d+ .*, child of \\d+, .*"))
                .map(line -> line.replaceAll(
                                "  \\d+ +\\S*/(\\S+), child of \\d+, ([^,]*), .*", "$1 $2")
                        .replace("dash", "sh")
                        .replace("busybox", "sh"))
                .sorted()
                .toList();
        assertEquals(Stream.of(images.split(", ")).sorted().toList(), listed, info);
        assertTrue(run.errors().isEmpty(), run.errors());
    }

    /**
     * A target in a PID namespace, which cannot see the launcher, still notices that it is gone,
     * and goes on.
     */
    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldGoOnInANamespaceWhenTheLauncherIsKilled(String engine) throws Exception {
        Path done = directory.resolve("done");
        String loop = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); [ $i = 10 ] && echo x >"
                + directory.resolve("begun") + "; done; echo y >" + done;
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "-o",
                directory.resolve("t.madt").toString(),
                "--",
                "unshare",
                "-Urpf",
                "sh",
                "-c",
                loop));
        assumeTrue(
                MadtRun.command(directory, List.of("unshare", "-Urpf", "true")).status() == 0,
                "no user namespaces");
        Process launcher = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        await(directory.resolve("begun"));
        launcher.destroyForcibly().waitFor(10, TimeUnit.MINUTES);
        await(done);
        try (Stream<Path> files = Files.list(directory)) {
            assertTrue(files.anyMatch(file -> file.getFileName().toString().startsWith("t.madt")));
        }
    }

    private static void await(Path file) throws InterruptedException {
        for (int i = 0; i < 6_000 && !Files.exists(file); i++) {
            Thread.sleep(100);
        }
        assertTrue(Files.exists(file), file.toString());
    }
}
