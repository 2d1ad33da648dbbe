package dev.madt.testprogs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;

/** Gives so many bytes a second: at the other end of a pipe, a slow disk. */
public final class Throttled extends FilterInputStream {
    private static final int MOST_AT_ONCE = 1 << 16;

    private final long perSecond;
    private long begun;
    private long given;

    public Throttled(InputStream in, long perSecond) {
        super(in);
        this.perSecond = perSecond;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        int got = super.read(to, from, Math.min(length, MOST_AT_ONCE));
        begun = begun == 0 ? System.nanoTime() : begun;
        given += Math.max(got, 0);
        LockSupport.parkNanos(begun + given * 1_000_000_000L / perSecond - System.nanoTime());
        return got;
    }

    /** Bytes given so far. */
    long given() {
        return given;
    }
}
