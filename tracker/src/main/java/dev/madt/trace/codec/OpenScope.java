package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Run;
import dev.madt.trace.layout.SharedLayout;

/** Every address counts, and the runs are those that have been put here. */
final class OpenScope implements RunScope {
    private final RunTable runs = new RunTable();

    void put(Run run) {
        runs.put(run);
    }

    @Override
    public Run run(int number) {
        return runs.get(number);
    }

    @Override
    public void define(Run run) {}

    @Override
    public boolean traced(AccessSite site) {
        return true;
    }

    @Override
    public boolean traced(long address, long[] range) {
        range[0] = 0;
        range[1] = SharedLayout.WORD_NONE;
        return true;
    }
}
