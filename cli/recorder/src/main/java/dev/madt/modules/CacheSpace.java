package dev.madt.modules;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The space that kept analyses take, shared with other processes at the same time. Whoever uses a
 * file holds a shared lock on it, as long as a target may map it; only who gets the lock alone
 * deletes a file, so that none vanishes under a session. The time of a file is that of its last
 * use, within ten minutes.
 */
final class CacheSpace implements AutoCloseable {
    /** Says what a killed process left half-written. */
    private static final Duration LEFT_BEHIND = Duration.ofDays(1);

    private static final long EXACT_MILLIS = 600_000;
    /** Of the names of kept files. */
    private static final String ENDINGS = "codemap,plan,symbols,section,lines";

    private final Path directory;
    private final long limit;
    private final Map<Path, FileLock> held = new HashMap<>();
    private final Set<Path> checked = new HashSet<>();
    /**
     * Says whether there may be more than the limit: until something is added, the last session has
     * seen to that.
     */
    private boolean grown;

    /**
     * @param limit bytes that files may take when no session uses them
     * @param anew the limit may not be that of earlier sessions
     */
    CacheSpace(Path directory, long limit, boolean anew) {
        this.directory = directory;
        this.limit = limit;
        this.grown = anew;
    }

    /**
     * Takes a file into use until {@link #close}.
     *
     * @return false if it is not there, or somebody has deleted it
     */
    synchronized boolean use(Path file) {
        FileLock lock = null;
        try {
            lock = FileLock.take(file, Libc.LOCK_SH); // who deletes it holds it for a moment
            if (!lock.isOn(file)) {
                release(lock);
                return false;
            }
            touch(file, CheckedFiles.holds(file));
        } catch (IOException e) {
            release(lock);
            return false;
        }
        release(held.put(file, lock));
        return true;
    }

    /** The time of a file is taken for exact within minutes: to set it is a write to the disk. */
    private void touch(Path file, boolean isChecked) throws IOException {
        long now = System.currentTimeMillis();
        if (isChecked) {
            checked.add(file);
        }
        if (Math.abs(now - Files.getLastModifiedTime(file).toMillis()) < EXACT_MILLIS) {
            return;
        }
        Files.setLastModifiedTime(file, FileTime.fromMillis(now));
        if (isChecked) {
            CheckedFiles.note(file);
        }
    }

    /**
     * Returns whether all of a file was looked at before it was taken into use:
     * {@link CheckedFiles}.
     */
    synchronized boolean isChecked(Path file) {
        return checked.contains(file);
    }

    /**
     * Gives a fresh file its name, unless there is one of that name: a file that somebody may use
     * is never replaced, since the lock would stay on the old one.
     *
     * @throws IOException if that is not possible
     */
    synchronized void put(Path fresh, Path file) throws IOException {
        grown = true;
        try {
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException e) {
            return; // another process was faster
        } catch (UnsupportedOperationException e) {
            throw new IOException("no links in " + directory, e);
        }
    }

    /** Something was added, other than by {@link #put}. */
    synchronized void hasGrown() {
        grown = true;
    }

    /** Deletes a damaged file, unless somebody uses it all the same. */
    synchronized void discard(Path file) throws IOException {
        release(held.remove(file));
        checked.remove(file);
        if (Files.isSymbolicLink(file)) {
            Files.deleteIfExists(file); // nobody has it in use
            return;
        }
        try (FileLock lock = FileLock.tryTake(file, Libc.LOCK_EX)) {
            if (lock != null && lock.isOn(file)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void release(FileLock lock) {
        if (lock != null) {
            lock.close();
        }
    }

    /** A kept file as it was found. */
    private record Kept(Path file, long size, FileTime used) {}

    /**
     * Lets go of what is in use; where something was added, deletes what was used longest ago until
     * the rest is within the limit.
     */
    @Override
    public synchronized void close() {
        held.values().forEach(FileLock::close);
        held.clear();
        if (!grown) {
            return;
        }
        try {
            // two that trimmed at once would each delete enough for both
            FileLock alone = FileLock.take(directory.toRealPath(), Libc.LOCK_EX);
            try (alone) {
                trim();
            }
        } catch (IOException e) {
            return; // the next run tries again
        }
    }

    private void trim() throws IOException {
        List<Kept> files = new ArrayList<>();
        long total = 0;
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(directory, "*.{" + ENDINGS + "}*")) {
            for (Path entry : entries) {
                Kept kept = find(entry);
                if (kept != null) {
                    files.add(kept);
                    total += kept.size();
                }
            }
        }
        files.sort(Comparator.comparing(Kept::used));
        for (Kept kept : files) {
            String name = kept.file().toString();
            boolean partial = !name.matches(".*\\.(" + ENDINGS.replace(',', '|') + ")");
            boolean forgotten =
                    partial && kept.used().toInstant().isBefore(Instant.now().minus(LEFT_BEHIND));
            if (forgotten || !partial && total > limit) {
                total -= delete(kept) ? kept.size() : 0;
            }
        }
    }

    /** Null if it is gone already. */
    private static Kept find(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(
                    file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    ? new Kept(file, found.size(), found.lastModifiedTime())
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** Deletes a file unless somebody uses it, or has since it was found. */
    private static boolean delete(Kept kept) {
        try (FileLock lock = FileLock.tryTake(kept.file(), Libc.LOCK_EX)) {
            return lock != null
                    && lock.isOn(kept.file())
                    && Files.getLastModifiedTime(kept.file()).equals(kept.used())
                    && Files.deleteIfExists(kept.file());
        } catch (IOException e) {
            return false;
        }
    }
}
