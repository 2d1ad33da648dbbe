package dev.madt.natives;

import java.nio.LongBuffer;

/**
 * The kernel's records of when threads get a processor and lose it; encode/switches.c has the
 * rules. Not for use by several threads.
 */
public final class ContextSwitches implements AutoCloseable {
    private static final int MOST = 4096;
    private static final int WORDS = 4;

    private static final class Functions {
        private static final NativeLibrary LIBRARY =
                new NativeLibrary(NativeFiles.find("libmadtencode.so").toString());
        static final NativeFunction OPEN = LIBRARY.function("madt_switches_open");
        static final NativeFunction READ = LIBRARY.function("madt_switches_read");
        static final NativeFunction LOST = LIBRARY.function("madt_switches_lost");
        static final NativeFunction CLOSE = LIBRARY.function("madt_switches_close");
    }

    /** Is told of switches in the order of time. */
    @FunctionalInterface
    public interface Taker {
        /**
         * A thread has lost a processor, or got one.
         *
         * @param nanos of CLOCK_MONOTONIC_RAW
         * @param preempted it would have gone on
         * @param next the thread that got the processor that this one lost; 0: unknown or none
         */
        void take(long nanos, int pid, int tid, boolean lost, boolean preempted, int next);
    }

    private final long handle;
    private final NativeMemory records = new NativeMemory(MOST * WORDS * Long.BYTES);

    private ContextSwitches(long handle) {
        this.handle = handle;
    }

    /**
     * Opens the absences of a process and its descendants, and perhaps of others; null if that is
     * forbidden.
     */
    public static ContextSwitches open(int pid) {
        long handle = Functions.OPEN.call(pid);
        return handle == 0 ? null : new ContextSwitches(handle);
    }

    /** Gives what has come. */
    public void read(Taker taker) {
        int count;
        do {
            count = (int) Functions.READ.call(handle, records.address(), MOST);
            LongBuffer words = records.bytes().asLongBuffer();
            for (int at = 0; at < count * WORDS; at += WORDS) {
                long who = words.get(at + 1);
                long flags = words.get(at + 2);
                taker.take(
                        words.get(at),
                        (int) (who >>> 32),
                        (int) who,
                        (flags & 1) != 0,
                        (flags & 2) != 0,
                        (int) words.get(at + 3));
            }
        } while (count == MOST);
    }

    /** Records that the kernel had no room for. */
    public long lost() {
        return Functions.LOST.call(handle);
    }

    @Override
    public void close() {
        Functions.CLOSE.call(handle);
        records.close();
    }
}
