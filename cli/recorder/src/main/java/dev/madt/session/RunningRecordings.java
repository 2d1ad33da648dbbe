package dev.madt.session;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The recordings of this user that run on this machine, by their session directories. */
public final class RunningRecordings {
    /**
     * A recording.
     *
     * @param directory of its session
     * @param launcher the process that records
     * @param targets the processes that are recorded, as they see themselves
     */
    public record Running(Path directory, int launcher, List<Integer> targets) {
        /** Returns whether a process takes part in it. */
        public boolean has(int pid) {
            return launcher == pid || targets.contains(pid);
        }
    }

    /** The class whose name stands in front of the arguments in the command line of a JVM. */
    private static final String MAIN = "dev.madt.cli.Main\0";

    private RunningRecordings() {}

    /** All of them, in no order. */
    public static List<Running> all() throws IOException {
        List<Running> found = new ArrayList<>();
        Path place = SessionDirectory.place();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(place, "madt-*")) {
            for (Path directory : directories) {
                Running running = running(directory);
                if (running != null) {
                    found.add(running);
                }
            }
        }
        return found;
    }

    /**
     * Returns whether a file, or the directory of a process under /proc, is this user's. Root may
     * read all of them, and has none but root's.
     */
    public static boolean isOwn(Path directory) throws IOException {
        return user(directory).equals(Libc.geteuid());
    }

    /** Returns what was typed behind {@code madt}, as far as it can be read. */
    public static String commandLine(Running running) {
        try {
            String words = Files.readString(
                    Path.of("/proc/" + running.launcher() + "/cmdline"),
                    StandardCharsets.ISO_8859_1);
            int behind = words.indexOf(MAIN);
            return behind < 0
                    ? "?"
                    : CommandText.of(
                            List.of(words.substring(behind + MAIN.length()).split("\0")));
        } catch (IOException e) {
            return "?";
        }
    }

    private static Object user(Path file) throws IOException {
        return Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static Running running(Path directory) {
        try {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || !isOwn(directory)) {
                return null;
            }
            Path page = StaleSessions.page(directory);
            if (page == null) {
                return null;
            }
            ByteBuffer bytes = StaleSessions.read(page, 0, SharedLayout.Session.BYTES);
            if (bytes.getLong(SharedLayout.Session.MAGIC) != SharedLayout.SESSION_MAGIC
                    || bytes.getInt(SharedLayout.Session.VERSION) != SharedLayout.LAYOUT_VERSION
                    || isOver(page)) {
                return null;
            }
            int launcher = bytes.getInt(SharedLayout.Session.LAUNCHER_PID);
            return new Running(
                    page.getParent(),
                    launcher,
                    targets(page, bytes.getInt(SharedLayout.Session.PROCESSES)));
        } catch (IOException e) {
            return null; // it has gone meanwhile
        }
    }

    /** A launcher holds a lock on its page as long as it lives: see {@link StaleSessions}. */
    private static boolean isOver(Path page) throws IOException {
        try (FileLock lock = FileLock.tryTake(page, Libc.LOCK_SH)) {
            return lock != null;
        }
    }

    private static List<Integer> targets(Path file, int processes) throws IOException {
        List<Integer> pids = new ArrayList<>();
        for (int serial = 0; serial < processes; serial++) {
            int pid = StaleSessions.read(file, SharedLayout.area(serial), SharedLayout.PAGE)
                    .getInt(SharedLayout.Control.PID);
            if (pid != 0 && !pids.contains(pid)) { // one that has executed is there twice
                pids.add(pid);
            }
        }
        return pids;
    }
}
