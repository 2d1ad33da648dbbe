package dev.madt.view.locality;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.convert.Pieces;

/**
 * Takes the accesses of a trace in its order, each with its row: what the analyses of caches have
 * in common. All threads use one cache. A modify is a load and a store.
 */
public abstract class LineStream<T> implements Analysis {
    private final KeyedRows<T> rows;
    private final boolean transfers;
    private final Needs.Memory memory;
    private long left;
    private long accesses;
    private long idle;

    /** @param transfers whether bulk transfers count, as accesses of 8 bytes */
    LineStream(KeyedRows<T> rows, boolean transfers) {
        this(rows, transfers, null);
    }

    /**
     * As above.
     *
     * @param memory that matters: other accesses are only counted; null: all
     */
    LineStream(KeyedRows<T> rows, boolean transfers, Needs.Memory memory) {
        this.rows = rows;
        this.transfers = transfers;
        this.memory = memory;
    }

    /** An access of a row; {@code size} is at least 1. */
    abstract void access(T row, boolean store, long address, int size);

    /** Returns whether the store of a modify counts beside its load. */
    boolean countsModifies() {
        return true;
    }

    @Override
    public final Needs needs() {
        return Needs.BATCHES.bySite().living(BlockLives.UNHEEDED).in(memory).keeping(rows.notes());
    }

    @Override
    public final void idle(long count) {
        accesses += count;
        idle += count;
    }

    /** Returns how many accesses were to memory that does not matter. */
    final long idle() {
        return idle;
    }

    @Override
    public final void accesses(Accesses batch) {
        accesses += batch.count();
        for (int i = 0; i < batch.count(); i++) {
            boolean store = batch.store(i);
            if (store && !countsModifies() && isModify(batch, i)) {
                continue;
            }
            long address = batch.address(i);
            int size = Math.max(1, batch.size(i));
            if (concerns(address, size)) {
                T row = rows.of(batch.thread(), batch.place(i), batch.object(i));
                access(row, store, address, size);
            }
        }
    }

    private boolean concerns(long address, int size) {
        boolean matters = memory == null || memory.concerns(address, size);
        idle += matters ? 0 : 1;
        return matters;
    }

    private static boolean isModify(Accesses batch, int row) {
        return batch.place(row).kind() == AccessKind.MODIFY;
    }

    @Override
    public final void block(BlockAccess event) {
        if (!transfers) {
            left++;
            return;
        }
        T to = rows.of(event.thread(), event.place(), event.target());
        DataObject source = event.source() == null ? event.target() : event.source();
        T from = rows.of(event.thread(), event.place(), source);
        Pieces.of(event, (store, address, size) -> {
            accesses++;
            if (concerns(address, size)) {
                access(store ? to : from, store, address, size);
            }
        });
    }

    /** Returns how many bulk transfers were not counted. */
    public final long leftOut() {
        return left;
    }

    /** Returns whether there were accesses. */
    public final boolean isOfAccesses() {
        return accesses + left > 0;
    }
}
