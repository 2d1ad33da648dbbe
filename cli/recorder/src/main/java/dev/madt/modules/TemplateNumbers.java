package dev.madt.modules;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The template numbers that the plans of one folder own. A file there says the next one that nobody
 * has; who takes some holds its lock. Behind the last number comes the first again, since a cache
 * keeps far fewer plans than there are numbers for; if two plans of one process meet all the same,
 * one of them is changed as it is loaded. So a file that is lost or damaged costs time and nothing
 * else.
 */
final class TemplateNumbers {
    static final String FILE = "templates";
    /** Tables of the collector grow with the highest number: 128 million are enough. */
    static final int END = 1 << 27;

    private static final int MOST_DIGITS = 10;

    private final Path file;
    private final int first;

    /**
     * @param first where numbers begin: plans of two folders that one process uses should not have
     *     the same ones
     */
    TemplateNumbers(Path folder, int first) {
        this.file = folder.resolve(FILE);
        this.first = first;
    }

    /** The numbers that a cache begins with. */
    static TemplateNumbers kept(Path folder) {
        return new TemplateNumbers(folder, SharedLayout.TEMPLATE_FIRST_MODULE);
    }

    /** Of a folder that lives as long as a session, beside a cache. */
    static TemplateNumbers ofSession(Path folder) {
        return new TemplateNumbers(folder, END);
    }

    /**
     * Takes so many numbers.
     *
     * @return the first of them
     * @throws IOException if the file cannot be written
     */
    int take(int count) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // as usual
        }
        FileLock lock = FileLock.take(file, Libc.LOCK_EX);
        try {
            long next = next();
            long from = next + count > first + (long) END ? first : next;
            Files.writeString(
                    file,
                    from + count + "\n",
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    LinkOption.NOFOLLOW_LINKS);
            return (int) from;
        } finally {
            lock.close();
        }
    }

    /** Returns what the file says, or the first number where it does not say one. */
    private long next() throws IOException {
        byte[] said = Files.readAllBytes(file);
        String text = new String(said, StandardCharsets.US_ASCII).strip();
        boolean number = !text.isEmpty()
                && text.length() <= MOST_DIGITS
                && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        long next = number ? Long.parseLong(text) : first;
        return next < first || next > first + (long) END ? first : next;
    }
}
