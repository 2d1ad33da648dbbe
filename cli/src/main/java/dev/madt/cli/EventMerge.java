package dev.madt.cli;

import dev.madt.tracker.RingEvent;
import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.WordSink;
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
    interface Output extends WordSink {
        void event(RingEvent event) throws IOException;
    }

    /** The runs of one chunk, from its claim to its return. */
    static final class Source {
        private final int thread;
        private final long begun;
        private final RunQueue runs = new RunQueue();
        private boolean finished;
        private boolean held;

        private Source(int thread, long begun) {
            this.thread = thread;
            this.begun = begun;
        }

        void add(long epoch, int run, long[] words, int from, int count) {
            runs.add(epoch, run, words, from, count);
        }

        /** No more runs will come. */
        void finish() {
            finished = true;
        }

        /** Whether runs must wait because an earlier chunk of the thread may not have been seen yet. */
        void hold(boolean on) {
            held = on;
        }
    }

    private final Deque<RingEvent> events = new ArrayDeque<>();
    private final List<Source> sources = new ArrayList<>();
    private final long[] words = new long[SharedLayout.CHUNK_WORDS];

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
        long held = 0;
        for (Source source : sources) {
            held += source.runs.size();
        }
        return held;
    }

    boolean isEmpty() {
        return events.isEmpty() && held() == 0;
    }

    /** Passes on, in order, the events with tickets below {@code limit} and the runs with epochs up to it. */
    void emit(long limit, Output output) throws IOException {
        List<Source> ready = eligible();
        while (true) {
            Source next = earliest(ready);
            RingEvent event = events.peek();
            boolean runs = next != null && next.runs.epoch() <= limit;
            boolean ring = event != null && event.epoch() < limit;
            if (runs && (event == null || next.runs.epoch() <= event.epoch())) {
                emitSlice(next, output);
            } else if (ring) {
                output.event(events.poll());
            } else {
                break;
            }
        }
        dropFinished();
    }

    /** All runs of one source with the epoch of its first. */
    private void emitSlice(Source source, Output output) throws IOException {
        RunQueue runs = source.runs;
        long epoch = runs.epoch();
        while (!runs.isEmpty() && runs.epoch() <= epoch) {
            long own = runs.epoch();
            int run = runs.run();
            int count = runs.count();
            runs.take(words);
            output.run(source.thread, own, run, words, 0, count);
        }
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
            if (!source.runs.isEmpty() && (best == null || source.runs.epoch() < best.runs.epoch())) {
                best = source;
            }
        }
        return best;
    }

    private void dropFinished() {
        for (Iterator<Source> all = sources.iterator(); all.hasNext();) {
            Source source = all.next();
            if (source.finished && source.runs.isEmpty()) {
                all.remove();
            }
        }
    }
}
