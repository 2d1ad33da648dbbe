package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Datum;

/** Rows by thread. */
final class ThreadGrouping extends Grouping {
    private int lastThread;
    private Tally last;

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.thread());
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return of(event.thread());
    }

    private Tally of(int thread) {
        if (last == null || thread != lastThread) {
            lastThread = thread;
            last = row(Integer.toUnsignedString(thread), null);
        }
        return last;
    }
}
