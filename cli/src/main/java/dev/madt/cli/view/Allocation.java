package dev.madt.cli.view;

import dev.madt.tracker.AllocationEvent;

/**
 * A call that allocated or freed.
 *
 * @param event what its line says
 * @param next number of the first access behind it
 * @param call the call
 * @param born the new block, or null
 * @param ended the block that ended, dead by now; null if none did
 */
public record Allocation(AllocationEvent event, int thread, long next, Place call, Datum born, Datum ended) {}
