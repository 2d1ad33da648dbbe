package dev.madt.tracker;

import java.util.ArrayList;
import java.util.List;

/**
 * Consecutive runs of one EVTS frame as columns: of each its {@link Run}, where its words stand, and its number, counted from the first
 * one's. The memory is used again and again.
 */
final class RunColumns implements TracePart {
    /** So many words, or runs, are enough: they stay in a second-level cache until they are consumed. */
    private static final int FULL = 1 << 15;

    private final long[] words = new long[FULL + EventsLayout.MOST_RUN_WORDS];
    private final Run[] runs = new Run[FULL];
    private final int[] froms = new int[FULL];
    private final int[] numbers = new int[FULL];
    private final List<RingEvent> rings = new ArrayList<>();
    private int count;
    private long first;
    private int thread;

    /**
     * Replaces what is here by the next runs of a frame.
     *
     * @return whether there may be more of them
     * @throws TraceFormatException if the payload is malformed; the runs in front of the fault are here
     */
    boolean fill(EventsDecoder events) throws TraceFormatException {
        count = 0;
        rings.clear();
        first = events.next();
        thread = events.thread();
        int used = 0;
        while (used < FULL && count < FULL) {
            Run run = events.next(words, used);
            if (run == null) {
                return false;
            }
            int row = count++;
            runs[row] = run;
            froms[row] = used;
            numbers[row] = (int) (events.number() - first);
            used += events.length();
            if (run.number() == SharedLayout.RUN_EVENT) {
                rings.add(events.ring());
            }
        }
        return true;
    }

    @Override
    public void give(EventConsumer consumer) {
        int by = thread;
        int ring = 0;
        for (int i = 0; i < count; i++) {
            Run run = runs[i];
            if (run.number() >= SharedLayout.RUN_FIRST_MODULE) {
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

    @Override
    public void skim(EventConsumer consumer) {
        for (RingEvent event : rings) {
            consumer.ring(event);
        }
    }
}
