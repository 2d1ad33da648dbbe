package dev.madt.session;

import dev.madt.natives.FileLock;
import dev.madt.natives.Futex;
import dev.madt.natives.Libc;
import dev.madt.natives.SessionSpaceException;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory in shared memory through which the targets of one run and the collector speak
 * (madt_layout.h). It is made complete, its space allocated, before the first target starts, and
 * goes away with {@link #close()}.
 */
public final class SessionDirectory implements AutoCloseable {
    private final Path path;
    private SharedMapping session;
    private FileLock life;
    private boolean held;
    private Greetings greetings;
    private Futex doorbell;
    private PassedPrograms passed;

    /** Where sessions are made: a file system in memory. */
    public static Path place() {
        String base = System.getenv("MADT_SHM");
        return Path.of(base == null || base.isEmpty() ? "/dev/shm" : base);
    }

    private SessionDirectory(Path path) {
        this.path = path;
    }

    /**
     * Makes the directory, and in it the session page, the link to the shim and the files of the
     * first process.
     *
     * @param base a file system in memory, usually /dev/shm
     * @throws SessionSpaceException if it has no room for the first buffer
     */
    public static SessionDirectory create(Path base, Path shim, SessionSettings settings)
            throws IOException {
        StaleSessions.sweep(base);
        Path path = makeDirectory(base);
        SessionDirectory directory = new SessionDirectory(path);
        try {
            directory.fill(shim, settings);
            return directory;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /**
     * A new directory, mode 0700. Java's own temporary names take some 10 ms of a start, for the
     * classes of random numbers that nobody can guess; this one need only be free.
     */
    private static Path makeDirectory(Path base) throws IOException {
        FileAttribute<?> mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        long pid = ProcessHandle.current().pid();
        while (true) {
            Path path = base.resolve("madt-" + pid + "-" + Long.toHexString(System.nanoTime()));
            try {
                return Files.createDirectory(path, mode);
            } catch (FileAlreadyExistsException e) {
                Thread.onSpinWait(); // of another PID namespace: the clock goes on
            }
        }
    }

    private void fill(Path shim, SessionSettings settings) throws IOException {
        Files.createSymbolicLink(path.resolve("libmadt.so"), shim);
        makeFirstProcess();
        greetings = Greetings.at(path.resolve("hello"));
        session = SharedMapping.create(path.resolve("session"), SharedLayout.PAGE);
        life = FileLock.tryTake(
                path.resolve("session"),
                Libc.LOCK_EX); // before the page becomes valid: see StaleSessions
        ByteBuffer page = session.bytes();
        long pid = ProcessHandle.current().pid();
        page.putInt(SharedLayout.Session.VERSION, SharedLayout.LAYOUT_VERSION);
        page.putInt(SharedLayout.Session.LAUNCHER_PID, (int) pid);
        page.putLong(SharedLayout.Session.LAUNCHER_START, ProcessStatus.startTime((int) pid));
        LauncherMutex.hold(session);
        held = true;
        page.putInt(SharedLayout.Session.ENGINE, settings.engine());
        settings.windows().write(page);
        page.putInt(SharedLayout.Session.FLAGS, settings.flags());
        page.putLong(SharedLayout.Session.MAX_EVENTS, settings.maxEvents());
        page.putInt(SharedLayout.Session.SCOPE, settings.scope());
        page.putLong(SharedLayout.Session.QUARANTINE, settings.quarantine());
        passed = new PassedPrograms(
                settings.programs() == null ? null : path.resolve("passed"), session);
        if (settings.programs() != null) {
            page.put(SharedLayout.Session.PROGRAMS, settings.programs());
        }
        page.putLong(SharedLayout.Session.MAGIC, SharedLayout.SESSION_MAGIC);
        doorbell = session.futex(SharedLayout.Session.DOORBELL);
    }

    private void makeFirstProcess() throws IOException {
        try (SharedMapping control =
                SharedMapping.create(controlFile(0), SharedLayout.CONTROL_SIZE)) {
            ByteBuffer bytes = control.bytes();
            bytes.putInt(SharedLayout.Control.VERSION, SharedLayout.LAYOUT_VERSION);
            bytes.putInt(SharedLayout.Control.BUFFERS, 1);
            bytes.putInt(SharedLayout.Control.NAMES_USED, 1);
            bytes.putLong(SharedLayout.Control.RING_FREE, SharedLayout.RING_SLOTS);
            bytes.putLong(SharedLayout.Control.MAGIC, SharedLayout.CONTROL_MAGIC);
        }
        int chunks = SharedLayout.FIRST_BUFFER_CHUNKS;
        try (SharedMapping buffer =
                SharedMapping.create(bufferFile(0, 0), SharedLayout.bufferSize(chunks))) {
            ByteBuffer bytes = buffer.bytes();
            bytes.putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
            bytes.putInt(SharedLayout.Buffer.CHUNKS, chunks);
            bytes.putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
            bytes.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC);
        }
    }

    public Path path() {
        return path;
    }

    public Path controlFile(int serial) {
        return path.resolve("p" + serial + ".ctl");
    }

    public Path bufferFile(int serial, int number) {
        return path.resolve("p" + serial + ".b" + number);
    }

    /** The word that targets ring when there is something to do. */
    public Futex doorbell() {
        return doorbell;
    }

    /** Tells the targets whether ringing needs a wake. */
    public void waiting(boolean on) {
        session.futex(SharedLayout.Session.WAITING).set(on ? 1 : 0);
    }

    /** Which processes have taken which serials. */
    public Greetings greetings() {
        return greetings;
    }

    /** Serials taken so far. */
    public int processes() {
        return session.futex(SharedLayout.Session.PROCESSES).get();
    }

    /** The programs that are not recorded, by {@code --only-program}. */
    public PassedPrograms passed() {
        return passed;
    }

    /** A bit for each pattern of {@code --only-program} that has named a program. */
    public long matchedPrograms() {
        return session.bytes().getLong(SharedLayout.Session.MATCHED);
    }

    /** Processes that run untraced because they could not set themselves up. */
    public int failures() {
        return session.futex(SharedLayout.Session.FAILURES).get();
    }

    public int lastErrno() {
        return session.futex(SharedLayout.Session.LAST_ERRNO).get();
    }

    /** Makes every target believe that its launcher is gone, so that none waits for it. */
    public void disown() {
        session.bytes().putInt(SharedLayout.Session.DISOWNED, 1);
    }

    @Override
    public void close() {
        if (held) {
            LauncherMutex.release(session);
        }
        if (session != null) {
            session.close();
        }
        if (greetings != null) {
            greetings.close();
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // the next run takes away what cannot be deleted here; this one is not affected
            return;
        } finally {
            if (life != null) {
                life.close();
            }
        }
    }
}
