package dev.madt.cli;

import dev.madt.tracker.MalformedBufferException;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RunSpan;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Brings the events of the ring and the runs of the chunks of one process into one order. A run with epoch <i>e</i> comes behind
 * the events with tickets below <i>e</i> and before the event with ticket <i>e</i>. Within a thread the order is the thread's;
 * among threads with equal epochs the chunk that was begun first goes first.
 *
 * <p>Runs of a chunk wait while an earlier chunk of the same thread may still hold more.
 */
final class EventMerge {
    /** Takes events in their final order. */
    interface Output {
        void event(RingEvent event) throws IOException;

        /**
         * Takes the runs of one thread from the front of a span, all with epochs up to {@code limit} that follow each other.
         *
         * @throws MalformedBufferException if what stands there is no run
         */
        void runs(int thread, RunSpan span, long limit) throws IOException;
    }

    /** The runs of one chunk, from its claim to its return. */
    final class Source {
        private final int thread;
        private final long begun;
        private final Deque<RunSpan> spans = new ArrayDeque<>();
        private boolean finished;
        private boolean held;

        private Source(int thread, long begun) {
            this.thread = thread;
            this.begun = begun;
        }

        /** Adds runs behind those that are there. */
        void add(RunSpan span) {
            if (span.isEmpty()) {
                pool.give(span.words());
            } else {
                spans.add(span);
                held(span.size());
            }
        }

        private boolean isEmpty() {
            return spans.isEmpty();
        }

        /** What is no run has the lowest epoch, so that the fault is met at once. */
        private long epoch() {
            return spans.element().isRun() ? spans.element().epoch() : Long.MIN_VALUE;
        }

        private void held(int more) {
            EventMerge.this.held += more;
        }

        /** No more runs will come. */
        void finish() {
            finished = true;
        }

        /** Whether runs must wait because an earlier chunk of the thread may not have been seen yet. */
        void hold(boolean on) {
            held = on;
        }

        /** All runs from the first on with epochs up to {@code limit}. */
        private void emit(long limit, Output output) throws IOException {
            while (!spans.isEmpty() && epoch() <= limit) {
                RunSpan span = spans.element();
                int before = span.size();
                try {
                    span.check(0);
                    output.runs(thread, span, limit);
                } catch (MalformedBufferException e) {
                    spans.remove();
                    held(-before);
                    throw e;
                }
                if (span.isEmpty()) {
                    spans.remove();
                    pool.give(span.words());
                    held(-before);
                } else {
                    held(span.size() - before);
                }
            }
        }
    }

    private final SpanPool pool;
    private final Deque<RingEvent> events = new ArrayDeque<>();
    private final List<Source> sources = new ArrayList<>();
    private long held;

    /** @param pool gets the words of spans that are empty */
    EventMerge(SpanPool pool) {
        this.pool = pool;
    }

    void event(RingEvent event) {
        events.add(event);
    }

    /**
     * A newly claimed chunk.
     *
     * @param begun time stamp counter at its claim
     */
    Source open(int thread, long begun) {
        Source source = new Source(thread, begun);
        int at = sources.size();
        while (at > 0 && Long.compareUnsigned(sources.get(at - 1).begun, begun) > 0) {
            at--;
        }
        sources.add(at, source);
        return source;
    }

    /** Words that wait. */
    long held() {
        return held;
    }

    boolean isEmpty() {
        return events.isEmpty() && held == 0;
    }

    /**
     * Passes on, in order, the events with tickets below {@code limit} and the runs with epochs up to it.
     *
     * @throws MalformedBufferException when it meets one; what is behind it in its span is gone, the rest is there
     */
    void emit(long limit, Output output) throws IOException {
        List<Source> ready = eligible();
        while (true) {
            Source next = earliest(ready);
            RingEvent event = events.peek();
            boolean runs = next != null && next.epoch() <= limit;
            boolean ring = event != null && event.epoch() < limit;
            if (runs && (event == null || next.epoch() <= event.epoch())) {
                next.emit(next.epoch(), output);
            } else if (ring) {
                output.event(events.poll());
            } else {
                break;
            }
        }
        dropFinished();
    }

    private List<Source> eligible() {
        List<Source> eligible = new ArrayList<>(sources.size());
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            if (!source.held && !waitsForEarlier(source, i)) {
                eligible.add(source);
            }
        }
        return eligible;
    }

    private boolean waitsForEarlier(Source source, int index) {
        for (int i = 0; i < index; i++) {
            Source earlier = sources.get(i);
            if (earlier.thread == source.thread && (!earlier.finished || earlier.held)) {
                return true;
            }
        }
        return false;
    }

    private static Source earliest(List<Source> sources) {
        Source best = null;
        for (Source source : sources) {
            if (!source.isEmpty() && (best == null || source.epoch() < best.epoch())) {
                best = source;
            }
        }
        return best;
    }

    private void dropFinished() {
        for (Iterator<Source> all = sources.iterator(); all.hasNext();) {
            Source source = all.next();
            if (source.finished && source.isEmpty()) {
                all.remove();
            }
        }
    }
}
