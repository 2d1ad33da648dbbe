package dev.madt.natives;

import java.nio.LongBuffer;

/**
 * The processor's time stamp counter, and the kernel's clock at the same time.
 *
 * @param ticks of the counter
 * @param nanos of a clock that nobody sets
 */
public record TimeStamps(long ticks, long nanos) {
    private static final class Functions {
        private static final NativeLibrary LIBRARY =
                new NativeLibrary(NativeFiles.find("libmadtencode.so").toString());
        static final NativeFunction CLOCK = LIBRARY.function("madt_clock");
    }

    /** Both, now. */
    public static TimeStamps now() {
        try (NativeMemory pair = new NativeMemory(2 * Long.BYTES)) {
            Functions.CLOCK.call(pair.address());
            LongBuffer words = pair.bytes().asLongBuffer();
            return new TimeStamps(words.get(0), words.get(1));
        }
    }
}
