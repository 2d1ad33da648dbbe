package dev.madt.tracker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The reading side of one buffer file. */
public final class ChunkBuffer {
    public ChunkBuffer(ByteBuffer buffer, RunWords runs) throws MalformedBufferException {
        throw new UnsupportedOperationException("not yet");
    }

    public int chunks() {
        throw new UnsupportedOperationException("not yet");
    }

    /** SharedLayout.FREE, BUSY or READY. */
    public int state(int chunk) {
        throw new UnsupportedOperationException("not yet");
    }

    public long ticket(int chunk) {
        throw new UnsupportedOperationException("not yet");
    }

    public int thread(int chunk) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Passes on every whole run not yet consumed of a LIVE chunk that is BUSY or READY; returns their number. */
    public int scan(int chunk, WordSink sink) throws IOException {
        throw new UnsupportedOperationException("not yet");
    }

    /** Refills a READY chunk and frees it. */
    public void recycle(int chunk) {
        throw new UnsupportedOperationException("not yet");
    }
}
