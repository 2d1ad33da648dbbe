package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Zeroed memory for C functions, until it is closed; nobody may use it after that. */
public final class NativeMemory implements AutoCloseable {
    private final long address;
    private final ByteBuffer bytes;

    /** @throws OutOfMemoryError if there is none */
    public NativeMemory(int size) {
        address = MemoryIO.getInstance().allocateMemory(size, true);
        if (address == 0) {
            throw new OutOfMemoryError("no native memory of " + size + " bytes");
        }
        bytes = MemoryIO.getInstance()
                .newDirectByteBuffer(address, size)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Bytes and a NUL. */
    public static NativeMemory of(byte[] string) {
        NativeMemory memory = new NativeMemory(string.length + 1);
        memory.bytes.put(0, string);
        return memory;
    }

    /** A string as file names are encoded, and a NUL. */
    public static NativeMemory of(String string) {
        return of(string.getBytes(Charset.defaultCharset()));
    }

    public long address() {
        return address;
    }

    /** Its bytes, little-endian. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** The text in front of the first NUL, or all of it. */
    public String text() {
        return text(bytes, 0, bytes.capacity());
    }

    /** The text at an address, up to a NUL. */
    public static String text(long address) {
        return new String(
                MemoryIO.getInstance().getZeroTerminatedByteArray(address), StandardCharsets.UTF_8);
    }

    /** The text at an offset, up to a NUL, at most {@code limit} bytes. */
    public static String text(ByteBuffer bytes, int offset, int limit) {
        int length = 0;
        while (length < limit && bytes.get(offset + length) != 0) {
            length++;
        }
        byte[] text = new byte[length];
        bytes.get(offset, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        MemoryIO.getInstance().freeMemory(address);
    }
}
