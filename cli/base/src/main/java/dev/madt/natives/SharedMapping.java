package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A part of a shared file mapped for reading and writing. Closing unmaps it at once (a mapped
 * buffer of the JDK would keep its memory until a garbage collection); nobody may use
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

    static SharedMapping of(int descriptor, Path file, long from, long length) throws IOException {
        long address = Libc.mmap(0, length, PROT_READ_WRITE, MAP_SHARED, descriptor, from);
        if (address == -1) {
            throw SharedFile.failure("map", file, Libc.lastError());
        }
        return new SharedMapping(address, length);
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
