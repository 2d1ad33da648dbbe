package dev.madt.collector;

import dev.madt.trace.buffer.EventOrder;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Brings the events of the ring and the records of the chunks of one process into one order: that
 * of {@link EventOrder}. Within a thread the order is the thread's; among threads with equal epochs
 * the chunk that was begun first goes first.
 *
 * <p>Records of a chunk wait while an earlier chunk of the same thread may still hold more.
 */
public final class EventMerge {
    /** Takes events in their final order. */
    public interface Output {
        /** Returns whether nothing more should come for now; what comes all the same is taken. */
        default boolean isFull() {
            return false;
        }

        /** Takes the first of {@code events}, which has at least one. */
        void event(RingEvents events) throws IOException;

        /**
         * Takes the records of one thread from the front of a span, all with epochs up to
         * {@code limit} that follow each other.
         *
         * @throws MalformedBufferException if what stands there is no record
         */
        void records(int thread, RecordSpan span, long limit) throws IOException;

        /**
         * Takes, in their order, the records of one thread from the front of a span with epochs up
         * to {@code limit}, and events with tickets below {@code below}, until the span is empty,
         * neither may go, or this {@link #isFull}.
         *
         * @throws MalformedBufferException if what stands there is no record
         */
        default void both(RingEvents events, int thread, RecordSpan span, long limit, long below)
                throws IOException {
            while (!span.isEmpty() && !isFull()) {
                span.check(0);
                long last = Math.min(events.due(), limit);
                if (span.goesBefore(last)) {
                    records(thread, span, last);
                } else if (events.goesBefore(Math.min(span.epoch(), below))) {
                    event(events);
                } else {
                    return;
                }
            }
        }

        /** Takes the events with tickets below {@code below}, until this {@link #isFull}. */
        default void events(RingEvents events, long below) throws IOException {
            while (events.goesBefore(below) && !isFull()) {
                event(events);
            }
        }
    }

    /** The records of one chunk, from its claim to its return. */
    final class Source {
        private final int thread;
        private final long begun;
        private final long number;
        private final Deque<RecordSpan> spans = new ArrayDeque<>();
        private boolean finished;
        private boolean held;

        private Source(int thread, long begun) {
            this.thread = thread;
            this.begun = begun;
            this.number = ++opened;
        }

        /** Adds records behind those that are there. */
        void add(RecordSpan span) {
            spans.add(span);
            closeEmpty();
        }

        /** In their order: the last one gives back a chunk in which the others lie too. */
        private void closeEmpty() {
            while (!spans.isEmpty() && spans.element().isEmpty()) {
                closeFirst();
            }
        }

        private void closeFirst() {
            if (spans.remove().close()) {
                freed.run();
            }
        }

        private boolean isEmpty() {
            return spans.isEmpty();
        }

        /**
         * Returns the epoch in front; what is no record has the lowest one, so that the fault is
         * met at once.
         */
        private long epoch() {
            RecordSpan first = spans.element();
            return first.isRecord() ? first.epoch() : Long.MIN_VALUE;
        }

        private boolean isBegunBefore(Source other) {
            return begun == other.begun
                    ? number < other.number
                    : Long.compareUnsigned(begun, other.begun) < 0;
        }

        /** No more records will come. */
        void finish() {
            finished = true;
        }

        /**
         * Says whether records must wait because an earlier chunk of the thread may not have been
         * seen yet.
         */
        void hold(boolean on) {
            held = on;
        }

        /**
         * The records from the first on with epochs up to {@code limit}, and the events with
         * tickets below {@code below} in front of them.
         */
        private void emit(long limit, long below, Output output) throws IOException {
            while (!output.isFull()
                    && !spans.isEmpty()
                    && EventOrder.isRecordFirst(epoch(), limit)
                    && (EventOrder.isRecordFirst(epoch(), events.due())
                            || events.goesBefore(below))) {
                RecordSpan span = spans.element();
                try {
                    span.check(0);
                    output.both(events, thread, span, limit, below);
                } catch (MalformedBufferException e) {
                    closeFirst(); // what is behind the fault is lost
                    throw e;
                } finally {
                    closeEmpty();
                }
            }
        }
    }

    /** The chunks of one thread that may go, one behind the other; those with records only. */
    private static final class Lane {
        private final int thread;
        private final Deque<Source> sources = new ArrayDeque<>();
        private boolean closed;
        private Source first;
        private long epoch;

        private Lane(int thread) {
            this.thread = thread;
        }

        private void look() {
            while (!sources.isEmpty() && sources.element().isEmpty()) {
                sources.remove();
            }
            first = sources.peek();
            epoch = first == null ? 0 : first.epoch();
        }

        private boolean goesBefore(Lane other) {
            return epoch < other.epoch || epoch == other.epoch && first.isBegunBefore(other.first);
        }

        private void emit(long limit, long below, Output output) throws IOException {
            try {
                first.emit(limit, below, output);
            } finally {
                look();
            }
        }
    }

    private final Runnable freed;
    private final RingEvents events = new RingEvents();
    private final List<Source> sources = new ArrayList<>();
    private long opened;

    /** @param freed is told of each chunk that has been given back */
    EventMerge(Runnable freed) {
        this.freed = freed;
    }

    /** Gives back what waiting events took; there are none any more. */
    void close() {
        events.close();
    }

    /** Returns where ring events are to be added, in the order of their tickets. */
    RingEvents events() {
        return events;
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

    boolean isEmpty() {
        return events.isEmpty() && sources.stream().allMatch(Source::isEmpty);
    }

    /**
     * Passes on, in order, the events with tickets below {@code limit} and the records with epochs
     * up to it, as far as there is room.
     *
     * @throws MalformedBufferException when it meets one; what is behind it in its span is gone,
     *     the rest is there
     */
    void emit(long limit, Output output) throws IOException {
        List<Lane> lanes = lanes();
        while (!output.isFull()) {
            Lane next = earliest(lanes);
            long epoch = next == null ? EventOrder.NEVER : next.epoch;
            if (next != null && EventOrder.isRecordFirst(epoch, Math.min(events.due(), limit))) {
                next.emit(
                        Math.min(turn(lanes, next), limit),
                        Math.min(others(lanes, next), limit),
                        output);
            } else if (events.goesBefore(Math.min(epoch, limit))) {
                output.events(events, Math.min(epoch, limit));
            } else {
                break;
            }
        }
        dropFinished();
    }

    /**
     * Returns what may go now, by thread; threads in the order in which their first chunks were
     * begun.
     */
    private List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>();
        for (Source source : sources) {
            Lane lane = lane(lanes, source.thread);
            lane.closed |= source.held;
            if (!lane.closed) {
                lane.sources.add(source);
            }
            lane.closed |= !source.finished;
        }
        lanes.forEach(Lane::look);
        return lanes;
    }

    private static Lane lane(List<Lane> lanes, int thread) {
        for (Lane lane : lanes) {
            if (lane.thread == thread) {
                return lane;
            }
        }
        Lane lane = new Lane(thread);
        lanes.add(lane);
        return lane;
    }

    private static Lane earliest(List<Lane> lanes) {
        Lane best = null;
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            if (lane.first != null && (best == null || lane.goesBefore(best))) {
                best = lane;
            }
        }
        return best;
    }

    /** The epoch up to which it is one lane's turn: behind that another one is the earliest. */
    private static long turn(List<Lane> lanes, Lane one) {
        long end = Long.MAX_VALUE;
        for (int i = 0; i < lanes.size(); i++) {
            Lane other = lanes.get(i);
            if (other != one && other.first != null) {
                end = Math.min(
                        end, one.first.isBegunBefore(other.first) ? other.epoch : other.epoch - 1);
            }
        }
        return Math.max(end, one.epoch);
    }

    /**
     * The least epoch of all lanes but one: events with this ticket and greater ones come behind
     * it.
     */
    private static long others(List<Lane> lanes, Lane one) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < lanes.size(); i++) {
            Lane other = lanes.get(i);
            if (other != one && other.first != null) {
                least = Math.min(least, other.epoch);
            }
        }
        return least;
    }

    private void dropFinished() {
        for (Iterator<Source> all = sources.iterator(); all.hasNext(); ) {
            Source source = all.next();
            if (source.finished && source.isEmpty()) {
                all.remove();
            }
        }
    }
}
