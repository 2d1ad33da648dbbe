package dev.madt.view;

import dev.madt.trace.event.AllocationEvent;

/**
 * A call that allocated or freed.
 *
 * @param event what its line says
 * @param next number of the first access behind it
 * @param call the call
 * @param born the new block, or null
 * @param ended the block that ended, dead by now; one that is freed again comes again; null if none
 *     ended. Of a heap block where they go by site the data object of those that live
 * @param chain the calls that led here, {@code call} or what is inlined there innermost; null:
 *     unknown, or nobody {@link Needs#chains asked}
 * @param life what is known of the life of a heap block that has just ended, where they go by site;
 *     else null
 */
public record Allocation(
        AllocationEvent event,
        int thread,
        long next,
        Place call,
        DataObject born,
        DataObject ended,
        CallChain chain,
        Life life) {
    /** Returns the calls that led to the function of {@link #call}; null: unknown. */
    public CallChain outerCalls() {
        CallChain outer = chain;
        while (outer != null
                && outer.outer() != null
                && outer.call().address() == chain.call().address()) {
            outer = outer.outer();
        }
        return outer;
    }

    /**
     * The life of a block.
     *
     * @param size its bytes
     * @param birth number of the first access behind its allocation
     * @param note what a {@link BlockTouch} said last
     * @param temporary whether its thread has allocated no other block between its birth and end
     */
    public record Life(long size, long birth, long note, boolean temporary) {}
}
