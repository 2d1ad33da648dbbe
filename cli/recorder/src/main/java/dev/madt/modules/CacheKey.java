package dev.madt.modules;

import dev.madt.natives.Entropy;
import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Says what the sums of module files are made with, two random numbers that a cache keeps in a
 * file. Whoever does not know them cannot make a file that is taken for another one. Where they are
 * lost, what was kept is not found, and is made anew.
 */
record CacheKey(long point, long join) {
    static final String FILE = "key";

    private static final int BYTES = 2 * Long.BYTES;

    /**
     * The key of a folder, which is made if there is none.
     *
     * @throws IOException if it can be neither read nor made
     */
    static CacheKey of(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        CacheKey kept = read(file);
        if (kept != null) {
            return kept;
        }
        Path fresh = folder.resolve(FILE + "." + ProcessHandle.current().pid());
        try {
            Files.deleteIfExists(file); // it is damaged, or another user's
            write(fresh);
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            // another process was faster
        } finally {
            Files.deleteIfExists(fresh);
        }
        kept = read(file);
        if (kept == null) {
            throw new IOException("cannot keep " + file);
        }
        return kept;
    }

    private static void write(Path fresh) throws IOException {
        Files.deleteIfExists(fresh);
        Files.createFile(
                fresh,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(fresh, Entropy.bytes(BYTES), StandardOpenOption.WRITE);
    }

    /** Null if there is none that can be used. */
    private static CacheKey read(Path file) throws IOException {
        try {
            int owner = (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (owner != Libc.geteuid()
                    || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.size(file) != BYTES) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            return bytes.limit() == BYTES ? new CacheKey(bytes.getLong(), bytes.getLong()) : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
