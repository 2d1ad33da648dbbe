package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packages that dist/package makes, in roots that hold nothing but them and what they ask for, used
 * by a user without rights.
 */
@Soak
class PackagesIT {
    /** Holds what a shell and MadT's script need. */
    private static final List<String> SHELL = List.of("dash", "coreutils", "mawk");

    @TempDir
    static Path folder;

    private static String version;

    private static MadtRun run(String... command) throws Exception {
        return MadtRun.command(folder, List.of(command));
    }

    private static Path make(String name) throws Exception {
        Path out = folder.resolve(name);
        run(
                        "sh",
                        MadtRun.root().resolve("dist/package").toString(),
                        version,
                        System.getProperty("java.home"),
                        out.toString())
                .expect(0);
        return out;
    }

    @BeforeAll
    static void makePackages() throws Exception {
        version = MadtRun.madt(folder, "--version").expect(0).text().strip().replace("madt ", "");
        make("packages");
    }

    private static String name() {
        return "madt-" + version + "-linux-x86_64";
    }

    private static Path archive() {
        return folder.resolve("packages").resolve(name() + ".tar.gz");
    }

    private static Path debian() {
        return folder.resolve("packages").resolve("madt_" + version + "_amd64.deb");
    }

    /** A root with the files of Debian packages and a home for a user. */
    private static Path root(String name, Stream<String> packages) throws Exception {
        Path root = folder.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                "sh", MadtRun.root().resolve("dist/empty-root").toString(), root.toString()));
        packages.forEach(command::add);
        MadtRun.command(folder, command).expect(0);
        Files.createDirectories(root.resolve("home/user"));
        run("chown", "65534:65534", root.resolve("home/user").toString()).expect(0);
        return root;
    }

    /** Runs a command in a root: as nobody, or as root. */
    private static MadtRun in(Path root, String user, String... command) throws Exception {
        String script =
                "root=$1; user=$2; shift 2; mount --rbind /proc \"$root/proc\" && mount --rbind"
                        + " /dev \"$root/dev\" && exec chroot --userspec=$user"
                        + " \"$root\" /usr/bin/env"
                        + " -i PATH=/usr/bin:/bin HOME=/home/user \"$@\"";
        List<String> all = new ArrayList<>(
                List.of("unshare", "-m", "sh", "-c", script, "sh", root.toString(), user));
        all.addAll(Arrays.asList(command));
        return MadtRun.command(folder, all);
    }

    private static void assumeRoots() throws Exception {
        Assumptions.assumeTrue(Files.isWritable(Path.of("/root")), "only root can change its root");
        Assumptions.assumeTrue(run("unshare", "-m", "true").status() == 0, "mounts are forbidden");
    }

    private static void assertRecords(Path root, String madt) throws Exception {
        String nobody = "65534:65534";
        String trace = "/home/user/t.madt";
        assertEquals(
                "",
                in(root, nobody, "sh", "-c", "command -v java || command -v mvn")
                        .text());
        MadtRun doctor = in(root, nobody, madt, "doctor").expect(0);
        assertEquals(
                List.of(),
                doctor.text().lines().filter(line -> line.startsWith("failed")).toList());
        MadtRun traced =
                in(root, nobody, madt, "run", "-o", trace, "--", "/bin/ls", "/").expect(0);
        assertTrue(
                traced.text().lines().toList().containsAll(List.of("bin", "home", "usr")),
                traced.text());
        assertTrue(traced.errors().contains(", complete\n"), traced.errors());
        long accesses = in(root, nobody, madt, "print", "--kind", "access", trace)
                .expect(0)
                .text()
                .lines()
                .count();
        assertTrue(accesses > 1000, accesses + " accesses");
        assertTrue(in(root, nobody, madt, "report", "--by", "module", trace)
                .expect(0)
                .text()
                .contains("[libc.so.6]"));
        in(root, nobody, madt, "heatmap", "-o", "/home/user/t.png", trace).expect(0);
        in(root, nobody, madt, "view", "-o", "/home/user/t.html", trace).expect(0);
        assertTrue(Files.readString(root.resolve("home/user/t.html")).endsWith("</html>\n"));
        assertEquals(
                "madt: 'bench' is not a madt command. See 'madt --help'.\n",
                in(root, nobody, madt, "bench", "trap").expect(2).errors());
        assertEquals(
                "madt " + version + "\n",
                in(root, nobody, madt, "--version").expect(0).text());
    }

    @Test
    void shouldBeEqualWhenTheyAreMadeAgain() throws Exception {
        Path again = make("again");
        for (Path made : List.of(archive(), debian())) {
            assertArrayEquals(
                    Files.readAllBytes(made),
                    Files.readAllBytes(again.resolve(made.getFileName())),
                    made.toString());
        }
    }

    @Test
    void shouldRecordFromTheArchiveInAnEmptyRoot() throws Exception {
        assumeRoots();
        Path root = root(
                "archive-root",
                Stream.concat(SHELL.stream(), Stream.of("libc6", "libstdc++6", "zlib1g")));
        Files.createDirectories(root.resolve("opt/a folder"));
        run(
                        "tar",
                        "-C",
                        root.resolve("opt/a folder").toString(),
                        "-xzf",
                        archive().toString())
                .expect(0);
        assertRecords(root, "/opt/a folder/" + name() + "/bin/madt");
    }

    @Test
    void shouldRecordFromTheDebianPackageWithWhatItDependsOn() throws Exception {
        assumeRoots();
        String depends =
                run("dpkg-deb", "-f", debian().toString(), "Depends").expect(0).text();
        Path root = root(
                "debian-root",
                Stream.concat(
                        SHELL.stream(),
                        Arrays.stream(
                                depends.replaceAll("\\([^)]*\\)", "").strip().split(" *, *"))));
        run("dpkg-deb", "-x", debian().toString(), root.toString()).expect(0);
        run("dpkg-deb", "-e", debian().toString(), root.resolve("control").toString())
                .expect(0);
        in(root, "0:0", "/control/postinst", "configure").expect(0);
        assertTrue(Files.size(root.resolve("usr/lib/madt/lib/madt.jsa")) > 1 << 20);
        assertRecords(root, "madt");
        for (String file : List.of(
                "usr/share/man/man1/madt-run.1.gz",
                "usr/share/bash-completion/completions/madt",
                "usr/share/zsh/vendor-completions/_madt",
                "usr/share/fish/vendor_completions.d/madt.fish",
                "usr/include/madt.h",
                "usr/include/madt_probe.h")) {
            assertTrue(Files.size(root.resolve(file)) > 100, file);
        }
        in(root, "0:0", "/control/prerm", "remove").expect(0);
        assertTrue(Files.notExists(root.resolve("usr/lib/madt/lib/madt.jsa")));
    }

    @Test
    void shouldPleaseLintian() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/lintian")), "no lintian");
        List<String> errors = run("lintian", "--allow-root", debian().toString())
                .text()
                .lines()
                .filter(line -> line.startsWith("E:"))
                .toList();
        assertEquals(List.of(), errors);
    }
}
