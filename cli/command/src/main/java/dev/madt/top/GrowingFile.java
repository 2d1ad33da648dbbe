package dev.madt.top;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;

/** A file that somebody else is writing: who reads it waits at its end until that is the last. */
final class GrowingFile extends InputStream {
    private static final long WAIT_MILLIS = 50;
    private static final int BUFFER = 1 << 16;

    private final FileChannel channel;
    private final BooleanSupplier over;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).flip();
    private volatile long position;
    private volatile long grown = System.nanoTime();

    /** @param over whether nothing more will be written */
    GrowingFile(Path file, BooleanSupplier over) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.over = over;
    }

    /** Returns how many bytes of the file have not been read. */
    long left() throws IOException {
        return channel.isOpen() ? channel.size() - position : 0;
    }

    /** Returns whether it has not grown for so many nanoseconds. */
    boolean isQuiet(long nanos) {
        return System.nanoTime() - grown > nanos;
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int some = Math.min(length, buffer.remaining());
        buffer.get(to, offset, some);
        return some;
    }

    /** Returns whether there is a byte to be read. */
    private boolean fill() throws IOException {
        while (!buffer.hasRemaining()) {
            boolean last =
                    over.getAsBoolean(); // before the look: what was written by then is there
            buffer.clear();
            int got = channel.read(buffer);
            buffer.flip();
            if (got > 0) {
                position += got;
                grown = System.nanoTime();
            } else if (last) {
                return false;
            } else {
                pause();
            }
        }
        return true;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
