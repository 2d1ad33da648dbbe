package dev.madt.cli.view;

import dev.madt.tracker.AllocationEvent;

/**
 * A call that allocated or freed.
 *
 * @param event what its line says
 * @param next number of the first access behind it
 * @param call the call
 * @param born the new block, or null
 * @param ended the block that ended, dead by now; one that is freed again comes again; null if none ended
 */
public record Allocation(AllocationEvent event, int thread, long next, Place call, Datum born, Datum ended) {}
