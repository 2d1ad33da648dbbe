package dev.madt.trace.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Little-endian integers in memory that a target writes at the same time. Offsets must be aligned
 * to the integer's size; an offset outside the memory is a fault of this program
 * (IndexOutOfBoundsException), so callers check what they read from it first.
 */
final class SharedMemory {
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer bytes;
    private final LongBuffer longs;

    /**
     * @throws IllegalArgumentException if the buffer is on the Java heap, where ordered access is
     *     not possible
     */
    SharedMemory(ByteBuffer memory) {
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("shared memory must be a direct buffer");
        }
        bytes = memory.slice().order(ByteOrder.LITTLE_ENDIAN);
        longs = bytes.asLongBuffer();
    }

    int size() {
        return bytes.capacity();
    }

    int getByte(int at) {
        return bytes.get(at) & 0xff;
    }

    int getShort(int at) {
        return bytes.getShort(at) & 0xffff;
    }

    int getInt(int at) {
        return bytes.getInt(at);
    }

    long getLong(int at) {
        return bytes.getLong(at);
    }

    int getIntAcquire(int at) {
        return (int) INT.getAcquire(bytes, at);
    }

    long getLongAcquire(int at) {
        return (long) LONG.getAcquire(bytes, at);
    }

    void setIntRelease(int at, int value) {
        INT.setRelease(bytes, at, value);
    }

    void setLongRelease(int at, long value) {
        LONG.setRelease(bytes, at, value);
    }

    void addLongRelease(int at, long value) {
        LONG.getAndAddRelease(bytes, at, value);
    }

    void copy(int at, byte[] to, int count) {
        bytes.get(at, to, 0, count);
    }

    /** All of it, word by word. */
    LongBuffer longs() {
        return longs;
    }

    void put(int at, byte[] from, int count) {
        bytes.put(at, from, 0, count);
    }
}
