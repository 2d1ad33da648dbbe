package dev.madt.collector;

import dev.madt.session.MemoryLimit;
import dev.madt.session.RecordingClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Has the files of processes closed that have ended, and keeps how their traces came out. */
final class EndedTraces {
    private static final int MOST_CLOSING = 16;

    private final RecordingClock clock;
    private final TraceResults results;
    /** Holds those whose files wait to be closed. */
    private final Deque<Ended> closing = new ArrayDeque<>();

    EndedTraces(RecordingClock clock) {
        this.clock = clock;
        this.results = new TraceResults(clock::nanos);
    }

    /** A process whose trace is complete and open. */
    record Ended(
            int serial,
            int pid,
            ProcessTrace trace,
            String how,
            Losses losses,
            String completeness) {}

    /** Ends the lines of a process, and has its file closed. */
    void end(Ended process) {
        TraceSink file = process.trace().sink();
        try {
            file.endLines(process.losses().none());
            if (file.counted() != null) {
                file.counted().end();
            }
        } catch (IOException e) {
            process.trace().fail(e);
        }
        try {
            file.closeSoon(process.losses().damage() == null
                    && !(process.trace().failure() instanceof MemoryLimit));
        } catch (IOException e) {
            process.trace().fail(e);
        }
        closing.add(process);
        addClosed();
    }

    /** Returns whether so many wait to be closed that nothing should be closed for now. */
    boolean areMany() {
        return closing.size() > MOST_CLOSING;
    }

    /** Waits until not so many wait, but not longer than so many milliseconds. */
    void awaitFew(long millis) throws IOException {
        if (areMany()) {
            closing.element().trace().sink().awaitClosed(millis);
            addClosed();
        }
    }

    /** Returns how the traces came out that have been closed. */
    TraceResults results() {
        return results;
    }

    /** Adds the results of those that are closed, in the order in which they ended. */
    private void addClosed() {
        while (!closing.isEmpty() && closing.element().trace().sink().isClosed()) {
            results.add(result(closing.remove()));
        }
    }

    /** Waits until all are closed, and adds their results. */
    void awaitClosed() {
        while (!closing.isEmpty()) {
            ProcessTrace trace = closing.element().trace();
            try {
                if (!trace.sink().isClosed()) {
                    trace.sink().await();
                }
            } catch (IOException e) {
                trace.fail(e);
            }
            results.add(result(closing.remove()));
        }
    }

    private TraceResult result(Ended process) {
        if (process.trace().stage() != null && !process.how().equals(ProcessList.EXEC)) {
            results.add(process.trace().stage());
        }
        IOException failure = process.trace().failure();
        IOException late = process.trace().sink().writeFailure();
        return TraceResult.of(
                process.serial(),
                process.pid(),
                process.trace(),
                clock.nanos(process.trace().pausedTicks()),
                process.how(),
                failure == null ? late : failure,
                process.losses(),
                process.completeness());
    }
}
