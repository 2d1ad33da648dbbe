package dev.madt.session;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Session directories that a killed launcher left behind. They would fill the memory of /dev/shm,
 * so each new run takes them away. A launcher holds a lock on its session page as long as it lives,
 * which tells in every PID namespace that sees the directory: a session whose page can be locked is
 * over. Its targets go on untraced without the files.
 */
final class StaleSessions {
    private StaleSessions() {}

    /**
     * Deletes them under {@code base}, as far as they are this user's; what cannot be judged stays.
     */
    static void sweep(Path base) {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(base, "madt-*")) {
            for (Path directory : directories) {
                take(directory);
            }
        } catch (IOException e) {
            return; // the run does not depend on it
        }
    }

    private static void take(Path directory) {
        try {
            if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && over(directory)) {
                delete(directory);
            }
        } catch (IOException e) {
            return; // another user's, or already gone
        }
    }

    private static boolean over(Path directory) throws IOException {
        Path page = page(directory);
        if (page == null || Files.size(page) < SharedLayout.Session.BYTES) {
            return false;
        }
        ByteBuffer bytes = read(page, 0, SharedLayout.Session.BYTES);
        if (bytes.getLong(SharedLayout.Session.MAGIC) != SharedLayout.SESSION_MAGIC
                || bytes.getInt(SharedLayout.Session.VERSION) != SharedLayout.LAYOUT_VERSION) {
            return false; // being made, or of a madt that may know no lock
        }
        try (FileLock lock = FileLock.tryTake(page, Libc.LOCK_EX)) {
            return lock != null;
        }
    }

    /** The session file of a session's directory; null if there is none. */
    static Path page(Path directory) throws IOException {
        Path page = directory.resolve(SessionDirectory.FILE);
        if (Files.isRegularFile(page, LinkOption.NOFOLLOW_LINKS)) {
            return page;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                page = entry.resolve(SessionDirectory.FILE);
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(page, LinkOption.NOFOLLOW_LINKS)) {
                    return page;
                }
            }
        }
        return null;
    }

    /** A part of a session file, which is far too large to be read whole. */
    static ByteBuffer read(Path file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(from);
            in.readFully(bytes);
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    delete(file);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(directory);
    }
}
