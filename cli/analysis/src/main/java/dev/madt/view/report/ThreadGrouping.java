package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;

/** Rows by thread. */
final class ThreadGrouping extends Grouping {
    private int lastThread;
    private Tally last;

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.thread());
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
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
