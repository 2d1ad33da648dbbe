package dev.madt.view.timeline;

/**
 * A lock goes from the thread that had it to one that has waited for it.
 *
 * @param at when that one got it, in nanoseconds since the recording began
 * @param waited nanoseconds
 */
record LockHandover(Lane from, Lane to, long at, long waited) {}
