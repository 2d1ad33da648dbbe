package dev.madt.resolver;

/** Takes entries of a MAPS frame with op 1; the numbers are those of docs/FORMAT.md. */
@FunctionalInterface
public interface MapsSink {
    void add(int kind, int protection, long start, long end, long origin, String label);
}
