package dev.madt.top;

import dev.madt.view.top.TopSums;
import java.io.Closeable;
import java.io.PrintStream;
import java.util.function.Supplier;

/** Prints a table of a {@link TopView} once in a period, where there is no terminal. */
public final class TopText implements Closeable {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TopView view;
    private final Supplier<TopSums> sums;
    private final long period;
    private final int columns;
    private final int most;
    private final PrintStream out;
    private boolean closed;

    /**
     * Begins to print.
     *
     * @param period nanoseconds
     * @param most rows of each table; 0: all
     */
    public TopText(
            TopView view,
            Supplier<TopSums> sums,
            long period,
            int columns,
            int most,
            PrintStream out) {
        this.view = view;
        this.sums = sums;
        this.period = period;
        this.columns = columns;
        this.most = most;
        this.out = out;
        Thread thread = new Thread(this::follow, "tables");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        try {
            Thread.sleep(period / NANOS_PER_MILLI);
            while (take()) {
                Thread.sleep(period / NANOS_PER_MILLI);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether somebody may read more. */
    private boolean take() {
        TopSums now = sums.get();
        synchronized (this) {
            if (!closed) {
                view.take(now);
                out.println(view.text(columns, most, false, true));
            }
            return !closed && !out.checkError();
        }
    }

    /** Prints no more. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
