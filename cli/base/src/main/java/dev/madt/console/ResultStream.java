package dev.madt.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output for results: writes go through as they come, and a closed pipe is a
 * {@link BrokenPipe}.
 */
public final class ResultStream extends OutputStream {
    private static final ThreadLocal<OutputStream> STANDARD =
            ThreadLocal.withInitial(() -> new FileOutputStream(FileDescriptor.out));

    private final OutputStream out = STANDARD.get();

    /** Takes the stream for the standard output of this thread, until {@link #release}. */
    public static void redirect(OutputStream stream) {
        STANDARD.set(stream);
    }

    /** Gives this thread the standard output of the process back. */
    public static void release() {
        STANDARD.remove();
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            if ("Broken pipe".equals(e.getMessage())) {
                throw new BrokenPipe();
            }
            throw new IOException("cannot write to standard output: " + Reason.of(e), e);
        }
    }
}
