package dev.madt.natives;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A large file with holes, which this process shares with others. It stays open, whatever becomes
 * of its name.
 */
public final class SharedFile implements AutoCloseable {
    /**
     * Limits the size of a file: what a file in memory may have (tmpfs(5)) is more; other file
     * systems permit less.
     */
    private static final int LARGEST = 62;

    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int RLIMIT_FSIZE = 1;

    private final Path place;
    private final Path file;
    private final int descriptor;

    private SharedFile(Path place, Path file, int descriptor) {
        this.place = place;
        this.file = file;
        this.descriptor = descriptor;
    }

    /**
     * Makes a file of holes, as large as the file system permits.
     *
     * @param place where its file system is mounted, for people
     * @param smallest bytes that it must have
     */
    public static SharedFile make(Path place, Path file, long smallest) throws IOException {
        int flags = Libc.O_RDWR | Libc.O_CREAT | Libc.O_EXCL | Libc.O_CLOEXEC;
        int descriptor = Libc.open(file.toString(), flags, 0600);
        if (descriptor < 0) {
            throw failure("make", file, Libc.lastError());
        }
        SharedFile made = new SharedFile(place, file, descriptor);
        if (!made.resize(smallest)) {
            IOException failure = failure("resize", file, Libc.lastError());
            made.close();
            throw failure;
        }
        return made;
    }

    /**
     * The size takes no memory, so a limit on the size of files is lifted for it as far as it may.
     */
    private boolean resize(long smallest) {
        try (NativeMemory limits = new NativeMemory(4 * Long.BYTES)) {
            long before = limits.address();
            long higher = limits.address() + 2 * Long.BYTES;
            Libc.syscall(Libc.SYS_PRLIMIT64, 0, RLIMIT_FSIZE, 0, before);
            limits.bytes().putLong(16, -1).putLong(24, -1);
            if (Libc.syscall(Libc.SYS_PRLIMIT64, 0, RLIMIT_FSIZE, higher, 0) != 0) {
                long hard = limits.bytes().getLong(8);
                limits.bytes().putLong(16, hard).putLong(24, hard);
                Libc.syscall(Libc.SYS_PRLIMIT64, 0, RLIMIT_FSIZE, higher, 0);
            }
            boolean done = false;
            for (int bits = LARGEST; !done && 1L << bits >= smallest; bits--) {
                done = Libc.ftruncate(descriptor, 1L << bits) == 0;
            }
            int error = Libc.lastError();
            Libc.syscall(Libc.SYS_PRLIMIT64, 0, RLIMIT_FSIZE, before, 0);
            Libc.setLastError(error);
            return done;
        }
    }

    /**
     * Allocates a part, so that no later write can meet a full disk.
     *
     * @throws SessionSpaceException if the file system is full
     */
    public void allocate(long from, long length) throws IOException {
        int error = Libc.posix_fallocate(descriptor, from, length);
        if (error == Libc.ENOSPC) {
            throw new SessionSpaceException(place, length);
        }
        if (error != 0) {
            throw failure("allocate", file, error);
        }
    }

    /** Gives the memory of a part back, where it has any. */
    public void free(long from, long length) {
        Libc.fallocate(descriptor, PUNCH_HOLE_KEEP_SIZE, from, length);
    }

    /**
     * Reads a part. Holes are zeros and stay holes: a look at a mapping would fill them, and be a
     * SIGBUS where the file system is full.
     */
    public ByteBuffer read(long from, int length) throws IOException {
        try (NativeMemory memory = new NativeMemory(length)) {
            if (Libc.pread(descriptor, memory.address(), length, from) < 0) {
                throw failure("read", file, Libc.lastError());
            }
            byte[] bytes = new byte[length];
            memory.bytes().get(0, bytes);
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Maps a part that has been allocated. */
    public SharedMapping map(long from, long length) throws IOException {
        return SharedMapping.of(descriptor, file, from, length);
    }

    static IOException failure(String verb, Path file, int error) {
        return new IOException("cannot " + verb + " " + file + ": " + Libc.errorText(error));
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}
