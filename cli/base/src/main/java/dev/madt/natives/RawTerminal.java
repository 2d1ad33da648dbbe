package dev.madt.natives;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The terminal of this process, giving each key at once and without showing it, until it is closed:
 * then it is as it was found (termios(3), ioctl_tty(2)). Ctrl-C goes on ending what runs.
 */
public final class RawTerminal implements Closeable {
    private static final String PATH = "/dev/tty";
    private static final long TCGETS = 0x5401;
    private static final long TCSETS = 0x5402;
    private static final long TIOCGWINSZ = 0x5413;
    /** Bytes of the kernel's struct termios, and where its parts are. */
    private static final int TERMIOS_BYTES = 64;

    private static final int LOCAL_FLAGS = 12;
    private static final int CHARACTERS = 17;
    private static final int VTIME = 5;
    private static final int VMIN = 6;
    private static final int VSUSP = 10;
    private static final int ICANON = 2;
    private static final int ECHO = 8;

    /** A size in characters; zeros if it is unknown. */
    public record Size(int columns, int rows) {}

    private final int descriptor;
    private final byte[] before = new byte[TERMIOS_BYTES];
    private final InputStream keys;
    private boolean closed;

    /** @throws IOException if this process has no terminal */
    public RawTerminal() throws IOException {
        keys = new FileInputStream(PATH);
        descriptor = Libc.open(PATH, Libc.O_RDWR | Libc.O_CLOEXEC, 0);
        if (descriptor < 0) {
            keys.close();
            throw new IOException(PATH + ": " + Libc.errorText(Libc.lastError()));
        }
        try (NativeMemory mode = new NativeMemory(TERMIOS_BYTES)) {
            control(TCGETS, mode);
            mode.bytes().get(0, before);
            int flags = mode.bytes().getInt(LOCAL_FLAGS);
            mode.bytes()
                    .putInt(LOCAL_FLAGS, flags & ~(ICANON | ECHO))
                    .put(CHARACTERS + VMIN, (byte) 1)
                    .put(CHARACTERS + VTIME, (byte) 0)
                    .put(CHARACTERS + VSUSP, (byte) 0);
            control(TCSETS, mode);
        }
    }

    private void control(long request, NativeMemory what) {
        Libc.syscall(Libc.SYS_IOCTL, descriptor, request, what.address(), 0);
    }

    /** Returns what is typed, byte by byte. */
    public InputStream keys() {
        return keys;
    }

    /** Returns how large the terminal is now. */
    public synchronized Size size() {
        if (closed) {
            return new Size(0, 0);
        }
        try (NativeMemory size = new NativeMemory(Long.BYTES)) {
            control(TIOCGWINSZ, size);
            return new Size(size.bytes().getShort(2), size.bytes().getShort(0));
        }
    }

    /** Leaves the terminal as it was found; may be called several times. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (NativeMemory mode = new NativeMemory(TERMIOS_BYTES)) {
            mode.bytes().put(0, before);
            control(TCSETS, mode);
        }
        Libc.close(descriptor);
    }
}
