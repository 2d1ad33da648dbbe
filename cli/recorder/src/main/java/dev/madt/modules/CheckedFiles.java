package dev.madt.modules;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.TimeUnit;

/**
 * Remembers of kept files that somebody has looked at all of their bytes, so that the next session
 * need not: a plan may have 160 MB. The note is an extended attribute of the file (xattr(7)): which
 * file it was, under which name, how long, when it was changed, and since which start of the
 * machine: what was written shortly before a crash may be lost. Whoever changes the time of a file
 * has to note it again. It also says when it was written: the kernel's time of the last change of
 * anything about the file (ctime), the note included, is not later unless somebody has changed it
 * since, and put its time back. Where the file system has no such attributes, every session looks.
 */
final class CheckedFiles {
    private static final String NOTE = "madt.checked";
    private static final int MOST_BYTES = 1024;
    /** Milliseconds that may lie between the time of a note and that of the file. */
    private static final long WRITTEN_WITHIN = 5;

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static String boot;

    private CheckedFiles() {}

    /** Returns whether the file is as it was when it was noted. */
    static boolean holds(Path file) {
        try {
            UserDefinedFileAttributeView notes = notes(file);
            ByteBuffer noted = ByteBuffer.allocate(MOST_BYTES);
            notes.read(NOTE, noted);
            String text = StandardCharsets.UTF_8.decode(noted.flip()).toString();
            int end = text.lastIndexOf(' ');
            return end >= 0
                    && text.substring(0, end).equals(state(file))
                    && changed(file) <= Long.parseLong(text.substring(end + 1)) + WRITTEN_WITHIN;
        } catch (IOException | UnsupportedOperationException | NumberFormatException e) {
            return false; // there is none, or one that nobody here has written
        }
    }

    /** Notes a file as it is now. */
    static void note(Path file) {
        try {
            String note = state(file) + " " + System.currentTimeMillis();
            notes(file).write(NOTE, StandardCharsets.UTF_8.encode(note));
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

    /** Milliseconds. */
    private static long changed(Path file) throws IOException {
        return ((FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS))
                .toMillis();
    }

    private static String state(Path file) throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return boot() + " " + file.getFileName() + " " + found.fileKey() + " " + found.size() + " "
                + found.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    private static synchronized String boot() throws IOException {
        boot = boot == null ? Files.readString(BOOT).strip() : boot;
        return boot;
    }
}
