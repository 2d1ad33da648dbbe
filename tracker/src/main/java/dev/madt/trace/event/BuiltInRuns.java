package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;

/**
 * What the built-in runs stand for: each a {@link Run} without sites, but for accesses of code
 * without a map, of which {@link UnknownCode} has a run with one site for each place.
 */
public final class BuiltInRuns {
    private static final Run[] RUNS = new Run[SharedLayout.RUN_FIRST_MODULE];

    static {
        for (int i = 0; i < RUNS.length; i++) {
            RUNS[i] = new Run(i, new AccessSite[0]);
        }
    }

    private BuiltInRuns() {}

    public static Run of(int number) {
        return RUNS[number];
    }

    /** Words that say all of one of these runs; those of a ring event are told by the event. */
    public static int words(int number) {
        return switch (number) {
            case SharedLayout.RUN_COPY -> 4;
            case SharedLayout.RUN_STORE, SharedLayout.RUN_FETCH -> 3;
            case SharedLayout.RUN_LOAD_UNKNOWN, SharedLayout.RUN_WRITE_UNKNOWN -> 2;
            case SharedLayout.RUN_THREAD -> 1;
            default -> 0;
        };
    }

    /**
     * Makes the call for a bulk transfer or an access of code without a map; its words stand from
     * {@code at} on.
     */
    public static void give(
            EventConsumer consumer, long number, int thread, Run run, long[] words, int at) {
        switch (run.number()) {
            case SharedLayout.RUN_COPY ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.COPY,
                        words[at + 1],
                        words[at + 2],
                        words[at + 3],
                        words[at]);
            case SharedLayout.RUN_STORE ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.STORE,
                        words[at + 1],
                        0,
                        words[at + 2],
                        words[at]);
            case SharedLayout.RUN_FETCH ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.FETCH,
                        words[at + 1],
                        0,
                        words[at + 2],
                        words[at]);
            case SharedLayout.RUN_LOAD_UNKNOWN ->
                consumer.access(number, thread, run.site(0), false, words[at + 1]);
            case SharedLayout.RUN_WRITE_UNKNOWN ->
                consumer.access(number, thread, run.site(0), true, words[at + 1]);
            default -> {}
        }
    }
}
