package dev.madt.console;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * A file being read that says how far it is: from the second second on, five times a second, on one
 * line of a terminal.
 */
public final class Progress extends FilterInputStream {
    private static final long FIRST_NANOS = 1_000_000_000;
    private static final long STEP_NANOS = 200_000_000;

    private final long size;
    private final boolean shown;
    private final Messages messages;
    private long position;
    private long next = System.nanoTime() + FIRST_NANOS;
    private boolean drawn;

    public Progress(InputStream in, long size, boolean shown, Messages messages) {
        super(in);
        this.size = size;
        this.shown = shown;
        this.messages = messages;
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        advance(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        int got = in.read(bytes, from, count);
        advance(Math.max(0, got));
        return got;
    }

    private void advance(int bytes) {
        position += bytes;
        if (shown && System.nanoTime() - next >= 0) {
            next = System.nanoTime() + STEP_NANOS;
            drawn = true;
            messages.draw(String.format(
                    Locale.ROOT, "reading: %.0f %%", size == 0 ? 100.0 : 100.0 * position / size));
        }
    }

    /** Takes the line away. */
    public void done() {
        if (drawn) {
            drawn = false;
            messages.draw("");
        }
    }

    @Override
    public void close() throws IOException {
        done();
        super.close();
    }
}
