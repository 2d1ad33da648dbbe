package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A file of the session directory mapped for reading and writing. Closing unmaps it at once (a
 * mapped buffer of the JDK would keep its memory until a garbage collection); nobody may use
 * {@link #bytes()} after that.
 */
public final class SharedMapping implements AutoCloseable {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;

    private final long address;
    private final long length;
    private final ByteBuffer bytes;

    private SharedMapping(long address, long length) {
        this.address = address;
        this.length = length;
        this.bytes = MemoryIO.getInstance()
                .newDirectByteBuffer(address, Math.toIntExact(length))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Makes a file whose every block is allocated, so that no later write can meet a full disk, and
     * maps it.
     *
     * @throws SessionSpaceException if the file system is full
     */
    public static SharedMapping create(Path file, long length) throws IOException {
        int flags = Libc.O_RDWR | Libc.O_CREAT | Libc.O_EXCL | Libc.O_CLOEXEC;
        int descriptor = Libc.open(file.toString(), flags, 0600);
        if (descriptor < 0) {
            throw failure("make", file, Libc.lastError());
        }
        try {
            int error = Libc.posix_fallocate(descriptor, 0, length);
            if (error == Libc.ENOSPC) {
                throw new SessionSpaceException(file, length);
            }
            if (error != 0) {
                throw failure("allocate", file, error);
            }
            return map(descriptor, file, length);
        } finally {
            Libc.close(descriptor);
        }
    }

    /** Maps the first {@code length} bytes of a file that is there. */
    public static SharedMapping open(Path file, long length) throws IOException {
        int descriptor = Libc.open(file.toString(), Libc.O_RDWR | Libc.O_CLOEXEC, 0);
        if (descriptor < 0) {
            throw failure("open", file, Libc.lastError());
        }
        try {
            return map(descriptor, file, length);
        } finally {
            Libc.close(descriptor);
        }
    }

    private static SharedMapping map(int descriptor, Path file, long length) throws IOException {
        long address = Libc.mmap(0, length, PROT_READ_WRITE, MAP_SHARED, descriptor, 0);
        if (address == -1) {
            throw failure("map", file, Libc.lastError());
        }
        return new SharedMapping(address, length);
    }

    private static IOException failure(String verb, Path file, int error) {
        return new IOException("cannot " + verb + " " + file + ": " + Libc.errorText(error));
    }

    /** The mapped bytes, little-endian, position 0. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** A futex in this mapping. */
    public Futex futex(int offset) {
        return new Futex(bytes, offset, address + offset);
    }

    /** The address of a place in this mapping. */
    public long address(int offset) {
        return address + offset;
    }

    @Override
    public void close() {
        Libc.munmap(address, length);
    }
}
