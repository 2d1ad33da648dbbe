package dev.madt.view.calls;

/** Holds what calls cost: time in nanoseconds, and the accesses that they made themselves. */
public class CallCost {
    private long calls;
    private long total;
    private long self;
    private long accesses;
    private long bytes;

    /** One more call, which is at its end. */
    final void ended(long selfNanos) {
        calls++;
        self += selfNanos;
    }

    /** Time from an enter to a leave; of nested calls that of the outermost one alone. */
    final void took(long nanos) {
        total += nanos;
    }

    /** Accesses, and their bytes; a bulk transfer is none, but has bytes. */
    public final void access(long count, long size) {
        accesses += count;
        bytes += size;
    }

    /** Calls that have ended. */
    public final long calls() {
        return calls;
    }

    public final long total() {
        return total;
    }

    public final long self() {
        return self;
    }

    public final long accesses() {
        return accesses;
    }

    public final long bytes() {
        return bytes;
    }
}
