package dev.madt.tracker;

/** Is told that what lies in a range of addresses has changed. */
@FunctionalInterface
public interface RangeListener {
    /** Something in [start, end) has changed, or is about to. */
    void changed(long start, long end);
}
