package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells a file from others, and from what it was before, without a look at its bytes. The time of
 * its last change of state (ctime) is the kernel's: who edits a file and puts its other times back,
 * as {@code touch -r} does, changes it.
 */
public final class FileVersion {
    private static final String WANTED = "unix:dev,ino,size,lastModifiedTime,ctime";

    private FileVersion() {}

    /** As a word that can stand in a file's name. */
    public static String of(Path file) throws IOException {
        Map<String, Object> found = Files.readAttributes(file, WANTED);
        return hex((Long) found.get("dev"))
                + "-"
                + hex((Long) found.get("ino"))
                + "-"
                + hex((Long) found.get("size"))
                + "-"
                + hex(nanoseconds(found.get("lastModifiedTime")))
                + "-"
                + hex(nanoseconds(found.get("ctime")));
    }

    private static long nanoseconds(Object time) {
        return ((FileTime) time).to(TimeUnit.NANOSECONDS);
    }

    private static String hex(long value) {
        return Long.toHexString(value);
    }
}
