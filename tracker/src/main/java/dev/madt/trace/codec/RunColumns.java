package dev.madt.trace.codec;

import dev.madt.trace.event.BuiltInRuns;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.Run;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Consecutive runs of one EVTS frame as columns: of each its {@link Run}, where its words stand,
 * and its number, counted from the first one's. A run that does what it did the last time has no
 * words of its own. The memory is used again and again.
 */
public final class RunColumns implements TracePart {
    /**
     * So many words, or runs, are enough: they stay in a second-level cache until they are
     * consumed.
     */
    private static final int FULL = 1 << 15;

    private final Consumer<RunColumns> home;
    private final long[] words = new long[FULL + EventsLayout.MOST_RUN_WORDS];
    private final Run[] runs = new Run[FULL];
    private final int[] froms = new int[FULL];
    private final int[] numbers = new int[FULL];
    private final List<RingEvent> rings = new ArrayList<>();
    private int count;
    private long first;
    private int thread;
    private int filled;

    /** @param home takes the columns back when they have been consumed */
    public RunColumns(Consumer<RunColumns> home) {
        this.home = home;
    }

    /**
     * Gives the columns back to be filled again; whoever consumed them must not look at them any
     * more.
     */
    public void release() {
        home.accept(this);
    }

    /**
     * Replaces what is here by the next runs of a frame.
     *
     * @return whether there may be more of them
     * @throws TraceFormatException if the payload is malformed; the runs in front of the fault are
     *     here
     */
    public boolean fill(EventsDecoder events) throws TraceFormatException {
        return fill(events, FULL);
    }

    /** As {@link #fill(EventsDecoder)}, but no run is begun behind so many words. */
    public boolean fill(EventsDecoder events, int most) throws TraceFormatException {
        count = 0;
        rings.clear();
        first = events.next();
        thread = events.thread();
        filled = events.nextColumns();
        int used = 0;
        while (used < Math.min(FULL, most) && count < Math.min(FULL, most)) {
            Run run = events.next(words, used);
            if (run == null) {
                return false;
            }
            int row = count++;
            runs[row] = run;
            numbers[row] = (int) (events.number() - first);
            used += words(events, row, used);
            if (run.number() == SharedLayout.RUN_EVENT) {
                rings.add(events.ring());
            }
        }
        return true;
    }

    /**
     * Notes where the words of a run are; returns how many of those from {@code used} on they are.
     */
    private int words(EventsDecoder events, int row, int used) {
        RunContext context = events.context();
        if (events.again()) {
            if (context.columns == filled) {
                froms[row] = ~context.from;
                return 0;
            }
            events.copy(words, used);
        }
        context.columns = filled;
        context.from = used;
        froms[row] = used;
        return context.words;
    }

    @Override
    public void give(EventConsumer consumer) {
        int by = thread;
        int ring = 0;
        for (int i = 0; i < count; i++) {
            Run run = runs[i];
            if (run.isProbe()) {
                giveCall(
                        consumer,
                        first + numbers[i],
                        by,
                        run,
                        words,
                        froms[i] < 0 ? ~froms[i] : froms[i]);
            } else if (froms[i] < 0) {
                consumer.again(first + numbers[i], by, run, words, ~froms[i]);
            } else if (run.number() >= SharedLayout.RUN_FIRST_MODULE) {
                consumer.run(first + numbers[i], by, run, words, froms[i]);
            } else if (run.number() == SharedLayout.RUN_THREAD) {
                by = (int) words[froms[i]];
            } else if (run.number() == SharedLayout.RUN_EVENT) {
                consumer.ring(rings.get(ring++));
            } else {
                BuiltInRuns.give(consumer, first + numbers[i], by, run, words, froms[i]);
            }
        }
    }

    /**
     * Makes the call for a function that is entered or left; the words of its run stand from
     * {@code at} on.
     */
    static void giveCall(
            EventConsumer consumer, long number, int thread, Run run, long[] words, int at) {
        consumer.call(number, thread, run.site(0), words[at], run.length() > 1 ? words[at + 1] : 0);
    }

    @Override
    public void skim(EventConsumer consumer) {
        for (RingEvent event : rings) {
            consumer.ring(event);
        }
    }
}
