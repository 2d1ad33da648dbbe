package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of MariaDB with a database of its own, in a folder of a test. */
public final class MariaDb {
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final int LIMIT_SECONDS = 300;

    private final Path directory;
    private final Path socket;
    private Process process;

    /** Returns whether it is installed. */
    public static boolean isThere() {
        return Files.isExecutable(SERVER);
    }

    /** Makes an empty database. */
    public MariaDb(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.socket = directory.resolve("socket");
        client(
                "mariadb-install-db",
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + directory.resolve("data"),
                "--user=" + System.getProperty("user.name"));
    }

    /** Returns the words that start the server. */
    public List<String> words() {
        return List.of(
                SERVER.toString(),
                "--no-defaults",
                "--datadir=" + directory.resolve("data"),
                "--socket=" + socket,
                "--skip-networking",
                "--user=" + System.getProperty("user.name"));
    }

    /** Starts it by a command, and waits until it answers. */
    public void start(List<String> command) throws IOException, InterruptedException {
        process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (admin("ping").status() != 0) {
            assertTrue(process.isAlive() && System.nanoTime() < end, said());
            Thread.sleep(100);
        }
    }

    private Path output() {
        return directory.resolve("output");
    }

    private String said() throws IOException {
        return Files.readString(output());
    }

    /** Has so many clients make so many queries together. */
    public void query(int clients, int queries) throws IOException, InterruptedException {
        client(
                "mariadb-slap",
                "--no-defaults",
                "--socket=" + socket,
                "--user=root",
                "--auto-generate-sql",
                "--concurrency=" + clients,
                "--number-of-queries=" + queries,
                "--engine=innodb");
    }

    /** Ends it. */
    public void stop() throws IOException, InterruptedException {
        assertEquals(0, admin("shutdown").status(), said());
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), said());
        assertEquals(0, process.exitValue(), said());
    }

    private MadtRun admin(String command) throws IOException, InterruptedException {
        List<String> words = List.of("mariadb-admin", "--no-defaults", "--socket=" + socket);
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--user=root", command));
        return MadtRun.command(directory, all);
    }

    private void client(String... words) throws IOException, InterruptedException {
        MadtRun.command(directory, List.of(words)).expect(0);
    }

    /** Returns its process, where nothing stands in front of its words. */
    public Process process() {
        return process;
    }
}
