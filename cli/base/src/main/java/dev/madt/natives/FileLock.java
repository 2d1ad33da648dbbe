package dev.madt.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A lock on a file by flock(2), which lasts until it is closed or its process has ended, whatever
 * PID namespaces lie between those that look. A lock of the JDK (fcntl) would end as soon as
 * anything in this process closes the file.
 */
public final class FileLock implements AutoCloseable {
    private final int descriptor;

    private FileLock(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * Takes the lock of a file, which must be there, without waiting.
     *
     * @param operation LOCK_SH or LOCK_EX
     * @return null if somebody else holds it
     * @throws IOException if the file cannot be opened or its file system has no locks
     */
    public static FileLock tryTake(Path file, int operation) throws IOException {
        int descriptor = open(file);
        if (Libc.flock(descriptor, operation | Libc.LOCK_NB) == 0) {
            return new FileLock(descriptor);
        }
        int error = Libc.lastError();
        Libc.close(descriptor);
        if (error != Libc.EWOULDBLOCK) {
            throw failure("lock", file, error);
        }
        return null;
    }

    /** As {@link #tryTake}, but waits for others, who must not hold the lock for long. */
    public static FileLock take(Path file, int operation) throws IOException {
        int descriptor = open(file);
        while (Libc.flock(descriptor, operation) != 0) {
            int error = Libc.lastError();
            if (error != Libc.EINTR) {
                Libc.close(descriptor);
                throw failure("lock", file, error);
            }
        }
        return new FileLock(descriptor);
    }

    private static int open(Path file) throws IOException {
        int descriptor =
                Libc.open(file.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC | Libc.O_NOFOLLOW, 0);
        if (descriptor < 0) {
            throw failure("open", file, Libc.lastError());
        }
        return descriptor;
    }

    /** Returns whether the file of this name is still the one that is locked. */
    public boolean isOn(Path file) throws IOException {
        try {
            Object locked = Files.getAttribute(Path.of("/proc/self/fd/" + descriptor), "unix:ino");
            return locked.equals(Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static IOException failure(String verb, Path file, int error) {
        return new IOException("cannot " + verb + " " + file + ": " + Libc.errorText(error));
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}
