package dev.madt.generated;

/**
 * A function that a program has made as it ran.
 *
 * @param size bytes, at least one
 * @param name as its runtime calls it
 */
public record GeneratedFunction(long start, long size, String name) {
    boolean holds(long address) {
        return Long.compareUnsigned(address - start, size) < 0;
    }
}
