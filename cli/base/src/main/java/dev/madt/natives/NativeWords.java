package dev.madt.natives;

import com.kenai.jffi.MemoryIO;

/** Reads and writes memory of C code by its address; nothing checks that it is there. */
public final class NativeWords {
    private static final MemoryIO MEMORY = MemoryIO.getInstance();

    private NativeWords() {}

    /**
     * Returns the address of so many new bytes, to be given to {@link #free}.
     *
     * @throws OutOfMemoryError if there are none
     */
    public static long allocate(long bytes) {
        long address = MEMORY.allocateMemory(bytes, false);
        if (address == 0) {
            throw new OutOfMemoryError("no native memory of " + bytes + " bytes");
        }
        return address;
    }

    public static void free(long address) {
        MEMORY.freeMemory(address);
    }

    public static long getLong(long address) {
        return MEMORY.getLong(address);
    }

    public static int getInt(long address) {
        return MEMORY.getInt(address);
    }

    public static short getShort(long address) {
        return MEMORY.getShort(address);
    }

    public static byte getByte(long address) {
        return MEMORY.getByte(address);
    }

    public static byte[] getBytes(long address, int length) {
        byte[] bytes = new byte[length];
        MEMORY.getByteArray(address, bytes, 0, length);
        return bytes;
    }

    public static void put(long address, long value) {
        MEMORY.putLong(address, value);
    }

    public static void put(long address, byte[] bytes) {
        MEMORY.putByteArray(address, bytes, 0, bytes.length);
    }

    public static void put(long address, long[] values, int from, int count) {
        MEMORY.putLongArray(address, values, from, count);
    }

    public static void put(long address, int[] values, int from, int count) {
        MEMORY.putIntArray(address, values, from, count);
    }
}
