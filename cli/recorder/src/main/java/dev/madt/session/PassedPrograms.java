package dev.madt.session;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program images of a session that it does not record (DIR/passed, madt_layout.h). For one
 * thread.
 */
public final class PassedPrograms {
    /** An image, with its process and that one's parent as they see themselves. */
    public record Image(int pid, int parent, String program) {}

    private final Path file;
    private final SharedMapping session;
    private int counted;
    private long read;

    /** @param file is made; null if all programs are recorded */
    PassedPrograms(Path file, SharedMapping session) throws IOException {
        this.file = file;
        this.session = session;
        if (file != null) {
            Files.write(file, new byte[0]);
        }
    }

    /** Returns those that have come since the last time. */
    public List<Image> take() throws IOException {
        int now = session.futex(SharedLayout.Session.PASSED).get();
        if (now == counted) {
            return List.of();
        }
        counted = now;
        List<Image> images = new ArrayList<>();
        for (String line : lines()) {
            String[] parts = line.split(" ", 3);
            images.add(new Image(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]));
        }
        return images;
    }

    private List<String> lines() throws IOException {
        try (RandomAccessFile list = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(list.length() - read)];
            list.seek(read);
            list.readFully(bytes);
            read += bytes.length;
            return bytes.length == 0
                    ? List.of()
                    : List.of(new String(bytes, StandardCharsets.UTF_8).split("\0"));
        }
    }

    /**
     * Returns whether a process of theirs runs. One that executes something does not for a moment:
     * see {@link #settled}.
     */
    public boolean run() throws IOException {
        if (file == null) {
            return false;
        }
        try (FileLock lock = FileLock.tryTake(file, Libc.LOCK_EX)) {
            return lock == null;
        }
    }

    /**
     * Returns whether none runs, and all that they executed has been taken up: an image counts as
     * executing until it holds the lock or has a serial.
     *
     * @param serials how many have been taken up
     */
    public boolean settled(int serials) throws IOException {
        return file == null
                || !executing()
                        && !run()
                        && !executing()
                        && session.futex(SharedLayout.Session.PASSED).get() == counted
                        && session.futex(SharedLayout.Session.PROCESSES).get() == serials;
    }

    private boolean executing() {
        return session.futex(SharedLayout.Session.EXECUTING).get() != 0;
    }
}
