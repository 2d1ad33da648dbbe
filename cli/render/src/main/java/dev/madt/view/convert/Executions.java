package dev.madt.view.convert;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.Accesses;
import dev.madt.view.Place;

/**
 * Tells where a new execution of an instruction begins: at another instruction or thread, or when
 * an operand comes that has been before. Operands are met in their order, so the places of one
 * execution have ascending indexes.
 */
final class Executions {
    private Place last;
    private int thread;

    /**
     * Returns whether this access is the first of its instruction's execution. Every access must be
     * asked about, in order.
     */
    boolean begins(Accesses batch, int row) {
        Place place = batch.place(row);
        Place before = last;
        boolean same =
                before != null && batch.thread() == thread && place.address() == before.address();
        last = place;
        thread = batch.thread();
        if (!same) {
            return true;
        }
        boolean secondHalf =
                place == before && place.kind() == AccessKind.MODIFY && batch.store(row);
        return !secondHalf && place.index() <= before.index();
    }
}
