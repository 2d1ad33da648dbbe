package dev.madt.natives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A 32-bit word in shared memory on which processes wait for one another (futex(2), not private).
 */
public final class Futex {
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer bytes;
    private final int offset;
    private final long address;

    Futex(ByteBuffer bytes, int offset, long address) {
        this.bytes = bytes;
        this.offset = offset;
        this.address = address;
    }

    public int get() {
        return (int) INT.getVolatile(bytes, offset);
    }

    public void set(int value) {
        INT.setVolatile(bytes, offset, value);
    }

    /** Adds one. */
    public void add() {
        INT.getAndAdd(bytes, offset, 1);
    }

    /** Adds one and wakes everyone who waits. */
    public void signal() {
        add();
        wake();
    }

    public void wake() {
        Libc.syscall(Libc.SYS_FUTEX, address, Libc.FUTEX_WAKE, Integer.MAX_VALUE, 0);
    }

    /**
     * Waits until somebody wakes this word, but not if it is no longer {@code value}, nor beyond
     * the limit.
     */
    public void await(int value, long nanoseconds) {
        try (NativeMemory timeout = new NativeMemory(2 * Long.BYTES)) {
            timeout.bytes()
                    .putLong(0, nanoseconds / 1_000_000_000)
                    .putLong(8, nanoseconds % 1_000_000_000);
            Libc.syscall(Libc.SYS_FUTEX, address, Libc.FUTEX_WAIT, value, timeout.address());
        }
    }
}
