package dev.madt.testprogs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Gives so many bytes, and the others once something has come to pass: at the other end of a pipe,
 * a disk that stands still.
 */
public final class HeldUp extends FilterInputStream {
    private static final long POLL_NANOS = 20_000_000;

    private final BooleanSupplier over;
    private long first;

    public HeldUp(InputStream in, long first, BooleanSupplier over) {
        super(in);
        this.first = first;
        this.over = over;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        if (first == 0) {
            while (!over.getAsBoolean()) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            first = Long.MAX_VALUE;
        }
        int got = super.read(to, from, (int) Math.min(length, first));
        first -= Math.max(got, 0);
        return got;
    }
}
