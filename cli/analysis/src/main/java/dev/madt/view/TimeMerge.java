package dev.madt.view;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockHolders;
import dev.madt.tracker.LockWords;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Brings what threads do between two ring events into the order of time. A trace has it chunk by
 * chunk: thousands of accesses of one thread, then those of another one, at the same time.
 *
 * <pre>
 *   trace:   ring event | A: call t=10, a a, call t=40, a | B: call t=20, b b | ring event
 *   merged:  ring event | A: call t=10, a a | B: call t=20, b b | A: call t=40, a | ring event
 * </pre>
 *
 * <p>Only calls and locks have times. Whatever a thread does behind one of these counts as done at
 * its time; what it does in front of its first one, as done at once. So this is certain:
 *
 * <ul>
 *   <li>Each thread's events keep their order, and nothing passes a ring event or a change of the
 *       address space; but events of locks and absences are those of their thread.
 *   <li>Timed calls of all threads are in the order of their times.
 *   <li>Where locks are recorded, a thread gets one when the threads that had it have released it,
 *       whatever the times say: two processors read their clocks some nanoseconds apart. So what
 *       is done under a lock comes in the order in which the threads had the lock.
 *   <li>Two accesses of two threads are in their true order if a timed call of the second thread
 *       lies between them: as where each thread makes one behind taking the lock that orders them.
 * </ul>
 *
 * <p>Accesses between the same calls of two threads have no order, and come in any. Events keep the
 * numbers that they have in the trace, which therefore step back. Memory is bounded: when so many
 * words wait, the earliest half goes, and what comes too late for its place is {@link #late}.
 */
public final class TimeMerge implements EventConsumer {
    /** Words that wait at most: the chunks of a hundred threads. */
    private static final int MOST_WORDS = 1 << 20;

    /** Something that waits for its turn; it holds its own words. */
    private record Event(int words, Runnable give, long time, LockHolders.Step step) {}

    /** A thread's events, in their order. */
    private static final class Lane {
        private final int index;
        private final ArrayDeque<Event> events = new ArrayDeque<>();
        private final LockHolders.Pending pending = new LockHolders.Pending();
        private long time;

        private Lane(int index) {
            this.index = index;
        }

        private long due() {
            return events.element().time();
        }
    }

    private final EventConsumer consumer;
    private final int most;
    private final Map<Integer, Lane> lanes = new HashMap<>();
    /** Holds those that have events; the order of two is that of their first ones. */
    private final PriorityQueue<Lane> waiting = new PriorityQueue<>((one, other) -> {
        int order = Long.compareUnsigned(one.due(), other.due());
        return order == 0 ? Integer.compare(one.index, other.index) : order;
    });

    private final LockHolders<Lane> holders = new LockHolders<>();
    private int words;
    private long given;
    private long late;

    public TimeMerge(EventConsumer consumer) {
        this(consumer, MOST_WORDS);
    }

    /** @param most words that wait at most */
    TimeMerge(EventConsumer consumer, int most) {
        this.consumer = consumer;
        this.most = most;
    }

    /** Returns how many events came when later ones had gone: they are behind their place. */
    public long late() {
        return late;
    }

    private void add(int thread, int size, long time, Runnable give) {
        add(thread, size, time, null, give);
    }

    private void add(int thread, int size, long time, LockHolders.Step step, Runnable give) {
        Lane lane = lanes.computeIfAbsent(thread, absent -> new Lane(lanes.size()));
        if (Long.compareUnsigned(time, lane.time) > 0) {
            lane.time = time;
        }
        if (Long.compareUnsigned(lane.time, given) < 0) {
            late++;
        }
        boolean first = lane.events.isEmpty();
        lane.events.add(new Event(size, give, lane.time, step));
        lane.pending.add(step);
        if (first) {
            waiting.add(lane);
        }
        words += size;
        if (words > most) {
            giveDownTo(most / 2);
        }
    }

    private void giveDownTo(int left) {
        while (words > left) {
            Lane lane = waiting.remove();
            awaitHolders(lane, new HashSet<>());
            giveFirst(lane);
            if (!lane.events.isEmpty()) {
                waiting.add(lane);
            }
        }
    }

    private void giveFirst(Lane lane) {
        Event event = lane.events.remove();
        words -= event.words();
        given = Long.compareUnsigned(event.time(), given) > 0 ? event.time() : given;
        lane.pending.remove(event.step());
        holders.take(lane, event.step());
        event.give().run();
    }

    /**
     * Gives what other threads did until they had released the lock that a thread gets next, as far
     * as it waits here, and nothing of what they did then.
     *
     * @param asking threads that are asked for already, whose first events are not given here
     */
    private void awaitHolders(Lane lane, Set<Lane> asking) {
        if (lane.events.element().step() == null) {
            return;
        }
        asking.add(lane);
        LockHolders.Step step = lane.events.element().step();
        for (Lane other : holders.inTheWay(lane, step)) {
            if (asking.contains(other) || !other.pending.has(step.lock())) {
                continue;
            }
            waiting.remove(other);
            boolean holds = true;
            while (holds && other.pending.has(step.lock())) {
                awaitHolders(other, asking);
                boolean plain = other.events.element().step() == null;
                giveFirst(other);
                holds = plain || holders.inTheWay(lane, step).contains(other);
            }
            if (!other.events.isEmpty()) {
                waiting.add(other);
            }
        }
        asking.remove(lane);
    }

    /** Gives everything; what comes behind may be earlier than that. */
    private void settle() {
        giveDownTo(0);
        given = 0;
    }

    @Override
    public void meta(Map<String, String> values) {
        settle();
        consumer.meta(values);
    }

    @Override
    public void define(Definition definition) {
        if (DataObjectIndex.isChangedBy(definition)) {
            settle();
        }
        consumer.define(definition);
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        long[] own = Arrays.copyOfRange(addresses, from, from + template.length());
        add(thread, 1 + own.length, 0, () -> consumer.record(number, thread, template, own, 0));
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        add(thread, 2, 0, () -> consumer.access(number, thread, site, store, address));
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        add(thread, 4, 0, () -> consumer.block(number, thread, kind, to, from, length, code));
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        long[] own = Arrays.copyOfRange(words, at, at + template.length());
        long time = template.isTimed() ? own[1] : 0;
        add(thread, 1 + own.length, time, () -> consumer.call(number, thread, template, own, 0));
    }

    @Override
    public void ring(TraceEvent event) {
        if (LockWords.areOfOneThread(event)) {
            add(
                    event.thread(),
                    8,
                    LockWords.time(event),
                    LockHolders.step(event),
                    () -> consumer.ring(event));
            return;
        }
        settle();
        if (event.type() == RingEventType.RECORD_STOP) {
            holders.forget();
        }
        consumer.ring(event);
    }

    @Override
    public void process(ProcessImage entry) {
        settle();
        consumer.process(entry);
    }

    @Override
    public void end(boolean complete) {
        settle();
        consumer.end(complete);
    }
}
