package dev.madt.modules;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.TimeUnit;

/**
 * Remembers of kept files that somebody has looked at all of their bytes, so that the next session
 * need not: a plan may have 160 MB. The note is an extended attribute of the file (xattr(7)): which
 * file it was, under which name, how long, when it was changed, and since which start of the
 * machine: what was written shortly before a crash may be lost. Whoever changes the time of a file
 * has to note it again. Where the file system has no such attributes, every session looks.
 */
final class CheckedFiles {
    private static final String NOTE = "madt.checked";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static String boot;

    private CheckedFiles() {}

    /** Whether the file is as it was when it was noted. */
    static boolean holds(Path file) {
        try {
            UserDefinedFileAttributeView notes = notes(file);
            byte[] state = state(file);
            ByteBuffer noted = ByteBuffer.allocate(state.length + 1);
            notes.read(NOTE, noted);
            return noted.flip().equals(ByteBuffer.wrap(state));
        } catch (IOException | UnsupportedOperationException e) {
            return false; // there is none, or one that is longer
        }
    }

    /** Notes a file as it is now. */
    static void note(Path file) {
        try {
            notes(file).write(NOTE, ByteBuffer.wrap(state(file)));
        } catch (IOException | UnsupportedOperationException e) {
            return; // the next session looks again
        }
    }

    private static UserDefinedFileAttributeView notes(Path file) {
        UserDefinedFileAttributeView notes = Files.getFileAttributeView(
                file, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (notes == null) {
            throw new UnsupportedOperationException("no extended attributes");
        }
        return notes;
    }

    private static byte[] state(Path file) throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String state = boot() + " " + file.getFileName() + " " + found.fileKey() + " "
                + found.size() + " " + found.lastModifiedTime().to(TimeUnit.NANOSECONDS);
        return state.getBytes(StandardCharsets.UTF_8);
    }

    private static synchronized String boot() throws IOException {
        boot = boot == null ? Files.readString(BOOT).strip() : boot;
        return boot;
    }
}
