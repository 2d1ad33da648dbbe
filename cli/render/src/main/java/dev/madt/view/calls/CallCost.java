package dev.madt.view.calls;

import java.util.LinkedHashMap;
import java.util.Map;

/** Holds what calls cost: time in nanoseconds, and the accesses that they made themselves. */
public class CallCost {
    private long calls;
    private long total;
    private long self;
    private long accesses;
    private long bytes;
    private long blocks;
    private long peak;
    private long lifetimes;
    private long hits;
    private long sum;
    /** Nanoseconds in which it did not run, by what it did then; null: there are none. */
    private Map<String, Long> offCpu;

    /** One more call, which is at its end. */
    final void ended(long selfNanos) {
        calls++;
        self += selfNanos;
    }

    /** Returns whether it was called, or took time, since it was open already. */
    final boolean isKnown() {
        return calls > 0 || total > 0 || self > 0;
    }

    /** Takes the time that a function took which was open when the recording began: no call. */
    final void spent(long selfNanos) {
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

    /**
     * Blocks that it allocated.
     *
     * @param atPeak bytes of them when all of the heap had most
     * @param lived accesses from birth to end, of all that have ended
     */
    final void allocated(long count, long atPeak, long lived) {
        blocks += count;
        peak += atPeak;
        lifetimes += lived;
    }

    /** Hits of an instrument, and what it has summed up there. */
    final void hit(long count, long value) {
        hits += count;
        sum += value;
    }

    /** It did not run for a while; {@code why}: what it did then, for people. */
    final void addOffCpu(String why, long nanos) {
        offCpu = offCpu == null ? new LinkedHashMap<>() : offCpu;
        offCpu.merge(why, nanos, Long::sum);
    }

    /** Returns when it did not run, by what it did then: parts of {@link #self}, never more. */
    final Map<String, Long> offCpuParts() {
        if (offCpu == null) {
            return Map.of();
        }
        Map<String, Long> parts = new LinkedHashMap<>();
        long rest = Math.max(0, self);
        for (Map.Entry<String, Long> one : offCpu.entrySet()) {
            long part = Math.min(rest, one.getValue());
            if (part > 0) {
                parts.put(one.getKey(), part);
                rest -= part;
            }
        }
        return parts;
    }

    /** Returns the part of {@link #self} in which it did not run. */
    final long offCpu() {
        return offCpuParts().values().stream().mapToLong(Long::longValue).sum();
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

    final long blocks() {
        return blocks;
    }

    /** Bytes of blocks when all of the heap had most. */
    final long peak() {
        return peak;
    }

    /** Accesses from birth to end, of all blocks that have ended. */
    final long lifetimes() {
        return lifetimes;
    }

    /** Hits of an instrument. */
    final long hits() {
        return hits;
    }

    /** Returns what the instrument has summed up. */
    final long sum() {
        return sum;
    }

    public final long bytes() {
        return bytes;
    }
}
