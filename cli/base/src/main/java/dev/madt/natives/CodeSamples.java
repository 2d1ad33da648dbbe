package dev.madt.natives;

import java.nio.LongBuffer;

/**
 * The kernel's samples of where threads are while they run; encode/samples.c has the rules. Not for
 * use by several threads.
 */
public final class CodeSamples implements AutoCloseable {
    private static final int MOST = 1024;
    private static final int WORDS = 2;

    private static final class Functions {
        private static final NativeLibrary LIBRARY =
                new NativeLibrary(NativeFiles.find("libmadtencode.so").toString());
        static final NativeFunction OPEN = LIBRARY.function("madt_samples_open");
        static final NativeFunction ADD = LIBRARY.function("madt_samples_add");
        static final NativeFunction READ = LIBRARY.function("madt_samples_read");
        static final NativeFunction CLOSE = LIBRARY.function("madt_samples_close");
    }

    /** Is told of samples, in no order. */
    @FunctionalInterface
    public interface Taker {
        /** A thread of a process was at an address. */
        void take(int pid, long code);
    }

    private final long handle;
    private final NativeMemory records = new NativeMemory(MOST * WORDS * Long.BYTES);

    private CodeSamples(long handle) {
        this.handle = handle;
    }

    /** Opens samples of no thread yet; null if there is no memory. */
    public static CodeSamples open() {
        long handle = Functions.OPEN.call();
        return handle == 0 ? null : new CodeSamples(handle);
    }

    /** Adds a thread and all that it will begin; false: the kernel forbids it, or it has ended. */
    public boolean add(int tid) {
        return Functions.ADD.call(handle, tid) != 0;
    }

    /** Gives what has come. */
    public void read(Taker taker) {
        int count;
        do {
            count = (int) Functions.READ.call(handle, records.address(), MOST);
            LongBuffer words = records.bytes().asLongBuffer();
            for (int at = 0; at < count * WORDS; at += WORDS) {
                taker.take((int) (words.get(at) >>> 32), words.get(at + 1));
            }
        } while (count == MOST);
    }

    @Override
    public void close() {
        Functions.CLOSE.call(handle);
        records.close();
    }
}
