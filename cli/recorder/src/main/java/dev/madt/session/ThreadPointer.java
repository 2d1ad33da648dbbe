package dev.madt.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The base of FS, from which threads reach their thread-local storage. */
public final class ThreadPointer {
    private static final Path VECTOR = Path.of("/proc/self/auxv");
    private static final long HWCAP2 = 26;
    private static final long FSGSBASE = 2;

    private ThreadPointer() {}

    /**
     * Returns whether programs may read it by {@code rdfsbase}, as the kernel's auxiliary vector
     * says (Linux, Documentation/arch/x86/x86_64/fsgs.rst).
     */
    public static boolean isReadable() {
        try {
            return isReadable(Files.readAllBytes(VECTOR));
        } catch (IOException e) {
            return false;
        }
    }

    /** The vector: pairs of a kind and a value, 8 bytes each. */
    static boolean isReadable(byte[] vector) {
        ByteBuffer pairs = ByteBuffer.wrap(vector).order(ByteOrder.LITTLE_ENDIAN);
        while (pairs.remaining() >= 2 * Long.BYTES) {
            long kind = pairs.getLong();
            long value = pairs.getLong();
            if (kind == HWCAP2) {
                return (value & FSGSBASE) != 0;
            }
        }
        return false;
    }
}
