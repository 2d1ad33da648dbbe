package dev.madt.view.locks;

import dev.madt.view.Place;

/**
 * A lock that a thread has, or had.
 *
 * @param address of the lock
 * @param thread that has it
 * @param since when it got the lock, in nanoseconds
 * @param place where it got the lock; null: not known
 * @param shared whether others may have it meanwhile
 * @param depth how many other locks the thread had when it got this one
 */
public record Holding(
        LockName name,
        long address,
        int thread,
        long since,
        Place place,
        boolean shared,
        int depth) {}
