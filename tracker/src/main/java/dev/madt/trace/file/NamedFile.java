package dev.madt.trace.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Follows the name of a file that this process holds open. Whoever may write to the folder may
 * rename the file, remove it or put another one in its place, of which the open file tells nothing.
 */
public final class NamedFile {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final Path file;
    /** Device and inode, which no other file has while this one is open; null for a pipe. */
    private final Object key;

    private NamedFile(Path file, Object key) {
        this.file = file;
        this.key = key;
    }

    /** Takes a file that has just been opened. */
    public static NamedFile of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return new NamedFile(file, attributes.isRegularFile() ? attributes.fileKey() : null);
    }

    /**
     * Returns the name that the file has now: the one that it was opened by, the one that it was
     * given since, or null if it has none any more. The file has to be open.
     */
    public Path place() {
        return key == null || leadsHere(file) ? file : renamed();
    }

    private boolean leadsHere(Path name) {
        try {
            return key.equals(
                    Files.readAttributes(name, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return false;
        }
    }

    /** The kernel knows the names of open files. */
    private Path renamed() {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                if (leadsHere(descriptor)) {
                    Path name = Files.readSymbolicLink(descriptor);
                    return Files.exists(name, LinkOption.NOFOLLOW_LINKS) && leadsHere(name)
                            ? name
                            : null;
                }
            }
        } catch (IOException e) {
            return null;
        }
        return null;
    }
}
