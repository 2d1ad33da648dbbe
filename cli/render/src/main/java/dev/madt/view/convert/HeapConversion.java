package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.toolkit.TextBuffer;

/** A format of heaps over time, which is counted in accesses: these say nothing else. */
abstract class HeapConversion extends Conversion {
    /** The number of the next access. */
    long next;

    HeapConversion(TextBuffer text) {
        super(text);
    }

    @Override
    protected void access(Accesses batch, int row) {
        next = batch.first() + row + 1;
    }

    @Override
    public void accesses(Accesses batch) {
        next = batch.first() + batch.count();
    }

    @Override
    public void block(BlockAccess event) {
        next = event.number() + 1;
    }
}
