package dev.madt.session;

import dev.madt.natives.Entropy;
import dev.madt.natives.FileLock;
import dev.madt.natives.Futex;
import dev.madt.natives.Libc;
import dev.madt.natives.SessionSpaceException;
import dev.madt.natives.SharedFile;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;

/**
 * The directory in shared memory through which the targets of one run and the collector speak
 * (madt_layout.h). It is made complete, its space allocated, before the first target starts, and
 * goes away with {@link #close()}.
 *
 * <p>Only its user may enter it. A recording of root is another matter: what it records may become
 * another user and then execute a program that is to take part. Everybody may enter then, and
 * nobody list it, and all that it holds lies in a directory whose name is 128 random bits, which
 * only those are told that take part.
 */
public final class SessionDirectory implements AutoCloseable {
    /** The area in front of those of processes. */
    public static final int FIRST_AREA = -1;

    static final String FILE = "session";
    /** The first buffer has no fewer, however little shared memory there is. */
    private static final int FEWEST_CHUNKS = 7;

    private static final int SECRET_BYTES = 16;
    private static final int ROOT = 0;

    private final Path outer;
    private final Path path;
    private final boolean shared;
    private SharedFile file;
    private SharedMapping session;
    private FileLock life;
    private boolean held;
    private Registrations registrations;
    private Futex doorbell;
    private PassedPrograms passed;

    /** Returns where sessions are made: a file system in memory. */
    public static Path place() {
        String base = System.getenv("MADT_SHM");
        return Path.of(base == null || base.isEmpty() ? "/dev/shm" : base);
    }

    private SessionDirectory(Path outer, Path path, boolean shared) {
        this.outer = outer;
        this.path = path;
        this.shared = shared;
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
        boolean shared = Libc.geteuid() == ROOT;
        Path outer = makeDirectory(base);
        SessionDirectory directory =
                new SessionDirectory(outer, shared ? outer.resolve(secret()) : outer, shared);
        try {
            directory.fill(shim, settings);
            return directory;
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private static String secret() {
        return HexFormat.of().formatHex(Entropy.bytes(SECRET_BYTES));
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
        if (shared) {
            Files.createDirectory(path);
            admit(path, 0711);
        }
        Files.createSymbolicLink(path.resolve("libmadt.so"), shim);
        Files.createSymbolicLink(path.resolve("madt-inject"), shim.resolveSibling("madt-inject"));
        file = SharedFile.make(outer.getParent(), path.resolve(FILE), SharedLayout.area(1));
        makeFirstProcess();
        registrations = Registrations.at(path.resolve("hello"));
        admit(path.resolve("hello"), 0777);
        file.allocate(0, SharedLayout.PAGE);
        session = file.map(0, SharedLayout.PAGE);
        life = FileLock.tryTake(
                path.resolve(FILE),
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
        InstrumentLibrary library = settings.instruments().library();
        page.putInt(
                SharedLayout.Session.FLAGS,
                settings.flags() | (library == null ? 0 : SharedLayout.SESSION_LIBRARY));
        page.putLong(SharedLayout.Session.MAX_EVENTS, settings.maxEvents());
        page.putInt(SharedLayout.Session.SCOPE, settings.scope());
        page.putLong(SharedLayout.Session.QUARANTINE, settings.quarantine());
        page.putInt(SharedLayout.Session.CHAIN, settings.chain());
        page.putInt(SharedLayout.Session.COUNTS, settings.instruments().counts());
        page.putInt(SharedLayout.Session.COUNTING, settings.instruments().counting() ? 1 : 0);
        page.putInt(SharedLayout.Session.SWITCHES, settings.instruments().switches());
        if (settings.instruments().switches() > 0) {
            put(FIRST_AREA, SharedLayout.SWITCHES_AT, settings.instruments().bytes());
        }
        if (library != null) {
            library.open((at, bytes) -> put(FIRST_AREA, at, bytes));
        }
        passed = new PassedPrograms(
                settings.programs() == null ? null : path.resolve("passed"), session);
        if (settings.programs() != null) {
            page.put(SharedLayout.Session.PROGRAMS, settings.programs());
        }
        page.putLong(SharedLayout.Session.MAGIC, SharedLayout.SESSION_MAGIC);
        doorbell = session.futex(SharedLayout.Session.DOORBELL);
        admit(path.resolve("passed"), 0666);
        admit(path.resolve(FILE), 0666);
        admit(outer, 0711);
    }

    /**
     * Lets other users at what those who take part may have become; the outer springboard comes
     * last.
     */
    private void admit(Path what, int mode) {
        if (shared) {
            Libc.chmod(what.toString(), mode);
        }
    }

    private void makeFirstProcess() throws IOException {
        file.allocate(SharedLayout.area(0), SharedLayout.CONTROL_SIZE);
        try (SharedMapping control = control(0)) {
            ByteBuffer bytes = control.bytes();
            bytes.putInt(SharedLayout.Control.VERSION, SharedLayout.LAYOUT_VERSION);
            bytes.putInt(SharedLayout.Control.BUFFERS, 1);
            bytes.putInt(SharedLayout.Control.NAMES_USED, 1);
            bytes.putLong(SharedLayout.Control.RING_FREE, SharedLayout.RING_SLOTS);
            bytes.putLong(SharedLayout.Control.MAGIC, SharedLayout.CONTROL_MAGIC);
        }
        int chunks = allocateFirstBuffer();
        try (SharedMapping buffer = buffer(0, 0)) {
            ByteBuffer bytes = buffer.bytes();
            bytes.putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
            bytes.putInt(SharedLayout.Buffer.CHUNKS, chunks);
            bytes.putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
            bytes.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC);
        }
    }

    /**
     * Allocates a whole buffer, or the beginning of one where there is no room for more.
     *
     * @return its chunks
     */
    private int allocateFirstBuffer() throws IOException {
        SessionSpaceException full = null;
        for (int chunks = SharedLayout.FIRST_BUFFER_CHUNKS; chunks >= FEWEST_CHUNKS; chunks /= 2) {
            try {
                file.allocate(bufferAt(0, 0), SharedLayout.bufferSize(chunks));
                return chunks;
            } catch (SessionSpaceException e) {
                full = full == null ? e : full;
            }
        }
        throw full;
    }

    public Path path() {
        return path;
    }

    /** Returns whether its name is still there: a new program finds the session by that. */
    public boolean isThere() {
        return Files.exists(path.resolve(FILE));
    }

    /**
     * Returns whether the process with this serial has made its files, and not ended since. Until
     * then there may be no memory behind them, nor any left.
     */
    public boolean isComplete(int serial) throws IOException {
        ByteBuffer head = file.read(SharedLayout.area(serial), SharedLayout.Control.REQUEST);
        return head.getLong(SharedLayout.Control.MAGIC) == SharedLayout.CONTROL_MAGIC
                && head.getInt(SharedLayout.Control.STATE) != SharedLayout.STATE_EMPTY;
    }

    /** The control part of a process that {@link #isComplete}, or of the first one. */
    public SharedMapping control(int serial) throws IOException {
        return file.map(SharedLayout.area(serial), SharedLayout.CONTROL_SIZE);
    }

    /** A buffer of that process. */
    public SharedMapping buffer(int serial, int number) throws IOException {
        return file.map(
                bufferAt(serial, number),
                SharedLayout.bufferSize(SharedLayout.FIRST_BUFFER_CHUNKS));
    }

    /** The counts of the thread with this number in that process, so many of 8 bytes. */
    public ByteBuffer counts(int serial, int number, int counts) throws IOException {
        int size = counts * Long.BYTES;
        return file.read(
                SharedLayout.area(serial) + SharedLayout.COUNTS_AT + (long) number * size, size);
    }

    /** Returns whether a number in the control file of a process is not 0; a hole stays one. */
    public boolean isWritten(int serial, int at) {
        try {
            return file.read(SharedLayout.area(serial) + at, Integer.BYTES).getInt() != 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The switches of instruments of that process; below 0: those that processes begin with.
     *
     * @throws SessionSpaceException if it has none yet, and there is no room for them
     */
    public SharedMapping switches(int serial, int count) throws IOException {
        long size = (long) count * SharedLayout.Switch.BYTES;
        long from = SharedLayout.area(serial) + SharedLayout.SWITCHES_AT;
        file.allocate(from, size);
        return file.map(from, size);
    }

    private static long bufferAt(int serial, int number) {
        return SharedLayout.area(serial)
                + SharedLayout.BUFFERS_AT
                + number * SharedLayout.BUFFER_BYTES;
    }

    /**
     * Puts bytes into the area of a process.
     *
     * @param at from its begin
     */
    public void put(int serial, long at, ByteBuffer bytes) throws IOException {
        long from = SharedLayout.area(serial) + at;
        file.allocate(from, bytes.remaining());
        try (SharedMapping part = file.map(from, bytes.remaining())) {
            part.bytes().put(bytes);
        }
    }

    /**
     * Gives the memory of a process back that has ended: a session may see thousands of them.
     *
     * @param runs it goes on, and keeps the marks by which it can be rid of everything
     */
    public void forget(int serial, boolean runs) {
        long kept = runs ? SharedLayout.CONTROL_SIZE : 0;
        file.free(SharedLayout.area(serial) + kept, SharedLayout.AREA_BYTES - kept);
    }

    /** The word that targets ring when there is something to do. */
    public Futex doorbell() {
        return doorbell;
    }

    /** Returns how often instruments have come while the recording goes on. */
    public int plans() {
        return session.futex(SharedLayout.Session.PLANS).get();
    }

    /**
     * Has all processes ask for plans with instruments that have come.
     *
     * @param plans how many have, so far
     * @param counting whether some count
     * @param pauses whether they want to know what threads wait for MadT
     */
    public void renewPlans(int plans, boolean counting, boolean pauses) {
        ByteBuffer page = session.bytes();
        int flags = page.getInt(SharedLayout.Session.FLAGS);
        page.putInt(SharedLayout.Session.FLAGS, flags | (pauses ? SharedLayout.SESSION_PAUSES : 0));
        page.putInt(SharedLayout.Session.COUNTING, counting ? 1 : 0);
        session.futex(SharedLayout.Session.PLANS).set(plans);
        doorbell.signal();
    }

    /** Tells the targets whether ringing needs a wake. */
    public void waiting(boolean on) {
        session.futex(SharedLayout.Session.WAITING).set(on ? 1 : 0);
    }

    /** Returns which processes have taken which serials. */
    public Registrations registrations() {
        return registrations;
    }

    /** Returns when the first process began, by {@link System#nanoTime}; 0: not yet. */
    public long begun() {
        return session.bytes().getLong(SharedLayout.Session.WINDOWS + SharedLayout.Windows.BEGUN);
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
        if (registrations != null) {
            registrations.close();
        }
        if (file != null) {
            file.close();
        }
        try {
            StaleSessions.delete(outer);
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
