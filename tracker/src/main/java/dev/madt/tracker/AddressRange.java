package dev.madt.tracker;

/**
 * A range [start, end) of unsigned addresses around a point, that shrinks to where something is the
 * same as at the point.
 */
public final class AddressRange {
    private long start;
    private long end = -1;

    /** First address. */
    public long start() {
        return start;
    }

    /** One past the last address. */
    public long end() {
        return end;
    }

    /** Takes away what lies outside of [from, to). */
    public void cut(long from, long to) {
        start = Long.compareUnsigned(start, from) < 0 ? from : start;
        end = Long.compareUnsigned(to, end) < 0 ? to : end;
    }
}
