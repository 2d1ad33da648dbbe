package dev.madt.testprogs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs commands as the user {@code postgres}, with PostgreSQL's programs on the path: its servers
 * refuse to run as root. Where there are no such programs, or no right to become that user, the
 * test is skipped.
 */
public final class PostgresUser {
    public static final String INITDB = "initdb -D data --no-sync -A trust";

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private final Path directory;
    private final Path programs;

    /** Makes folders for this user below a folder of the test, which all may enter from now on. */
    public PostgresUser(Path directory, String... folders)
            throws IOException, InterruptedException {
        this.directory = directory;
        assumeTrue(Files.isDirectory(VERSIONS), "no PostgreSQL");
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            programs = versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .findAny()
                    .orElseThrow();
        }
        String names = String.join(" ", folders);
        MadtRun owner = MadtRun.command(
                directory,
                List.of(
                        "sh",
                        "-c",
                        "mkdir " + names + " && chmod 755 . && chown postgres . " + names));
        assumeTrue(
                owner.status() == 0 && as(folders[0], "true").status() == 0,
                "no right to become the user postgres: " + owner.errors());
        assumeTrue(
                as(folders[0], "test -x " + MadtRun.launcher()).status() == 0,
                "an ordinary user cannot reach the repository");
    }

    /** Runs a shell's line in a folder; the words become the line's arguments. */
    public MadtRun as(String folder, String line, String... words)
            throws IOException, InterruptedException {
        return MadtRun.command(directory.resolve(folder), command(line, words));
    }

    /** Returns the words that run a shell's line as the user; the words become its arguments. */
    public List<String> command(String line, String... words) {
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=postgres",
                "--regid=postgres",
                "--clear-groups",
                "env",
                "-i",
                "LANG=C",
                "HOME=" + directory,
                "TMPDIR=" + directory,
                "PATH=" + programs + ":/usr/bin:/bin",
                "sh",
                "-c",
                line,
                "sh"));
        command.addAll(List.of(words));
        return command;
    }
}
