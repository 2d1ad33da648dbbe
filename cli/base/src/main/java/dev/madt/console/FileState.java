package dev.madt.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Tells whether a file is still as it was when something was learned from it.
 *
 * @param key of the file in its file system: another file may take its name
 * @param bytes it had
 * @param changed when it was written last
 */
public record FileState(Object key, long bytes, FileTime changed) {
    /** Returns the state of a file at the moment. */
    public static FileState of(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileState(now.fileKey(), now.size(), now.lastModifiedTime());
    }
}
