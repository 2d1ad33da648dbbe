package dev.madt.top;

import dev.madt.natives.RawTerminal;
import dev.madt.view.top.TopSums;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/**
 * A terminal that shows a {@link TopView} until it is closed, and is left as it was found. New sums
 * are asked for once in a period; keys and another size are answered at once.
 */
public final class TopScreen implements Closeable {
    /** The other screen of the terminal, without a cursor; and back. */
    private static final String BEGIN = "\033[?1049h\033[?25l";

    private static final String END = "\033[?25h\033[?1049l";
    private static final String HOME = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST = "\033[J";
    private static final long TICK_MILLIS = 100;
    private static final int ESCAPE = 27;
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    /** Says how it looks. */
    public record Look(boolean coloured, boolean blocks) {}

    private final TopView view;
    private final Supplier<TopSums> sums;
    private final long period;
    private final Look look;
    private final Runnable quit;
    private final RawTerminal terminal;
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final Thread restorer = new Thread(this::restore, "terminal");
    private RawTerminal.Size drawn;
    private boolean closed;

    /**
     * Takes the terminal.
     *
     * @param period nanoseconds
     * @param quit what the key q does
     */
    public TopScreen(TopView view, Supplier<TopSums> sums, long period, Look look, Runnable quit)
            throws IOException {
        this.view = view;
        this.sums = sums;
        this.period = period;
        this.look = look;
        this.quit = quit;
        this.terminal = new RawTerminal();
        Runtime.getRuntime().addShutdownHook(restorer);
        write(BEGIN);
        start(this::follow, "screen");
        start(this::read, "keys");
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        long due = System.nanoTime();
        try {
            while (true) {
                if (System.nanoTime() - due >= 0) {
                    TopSums now = sums.get();
                    due = Math.max(due + period, System.nanoTime());
                    if (!take(now)) {
                        return;
                    }
                } else if (!terminal.size().equals(drawn)) {
                    draw();
                }
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it is still shown. */
    private synchronized boolean take(TopSums now) {
        if (!closed) {
            view.take(now);
            draw();
        }
        return !closed;
    }

    private void read() {
        try {
            InputStream keys = terminal.keys();
            for (int key = keys.read(); key >= 0; key = keys.read()) {
                if (key == 'q') {
                    quit.run();
                } else if (key == ESCAPE) {
                    escape(keys);
                } else {
                    type(key);
                }
            }
        } catch (IOException e) {
            // the terminal has gone: nobody types any more
        }
    }

    /** Arrows come as several bytes. */
    private void escape(InputStream keys) throws IOException {
        if (keys.available() < 2 || keys.read() != '[') {
            return;
        }
        int last = keys.read();
        synchronized (this) {
            if (last == 'C' || last == 'D') {
                view.turn(last == 'C' ? 1 : -1);
                draw();
            }
        }
    }

    private synchronized void type(int key) {
        if (view.key(key)) {
            draw();
        }
    }

    private synchronized void draw() {
        if (closed) {
            return;
        }
        drawn = terminal.size();
        int columns = drawn.columns() > 0 ? drawn.columns() : USUAL_COLUMNS;
        int rows = drawn.rows() > 0 ? drawn.rows() : USUAL_ROWS;
        String text = view.screen(columns, rows, look.coloured(), look.blocks());
        write(HOME + text.replace("\n", REST_OF_LINE + "\r\n") + REST_OF_LINE + REST);
    }

    private void write(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            closed = true; // the terminal has gone
        }
    }

    /** Gives the terminal back. */
    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(restorer);
        } catch (IllegalStateException e) {
            // this process is ending, and has restored it
        }
    }

    private synchronized void restore() {
        if (!closed) {
            write(END);
            closed = true;
        }
        terminal.close();
    }
}
