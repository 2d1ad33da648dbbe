package dev.madt.collector;

import dev.madt.trace.event.TraceEvent;
import java.util.Map;
import java.util.TreeMap;

/**
 * Anonymous memory whose accesses do not count, by the rules of engine trap, which leaves it open:
 * what existed before the program's first instruction (the loader's, with the main thread's
 * thread-local storage), and stacks of threads with theirs. Of the main thread's storage in a
 * static program the target tells as of a stack. Ranges never overlap.
 */
final class ThreadMemory {
    private static final int MAP_GROWSDOWN = 0x100;
    private static final int MAP_STACK = 0x20000;

    private final TreeMap<Long, Long> ends = new TreeMap<>();

    void add(long start, long end) {
        remove(start, end);
        ends.put(start, end);
    }

    /** Follows a change of the address space. */
    void apply(TraceEvent event) {
        if (event instanceof TraceEvent.RegionMap made) {
            long end = made.start() + made.size();
            if ((made.flags() & (MAP_STACK | MAP_GROWSDOWN)) != 0) {
                add(made.start(), end);
            } else {
                remove(made.start(), end);
            }
        } else if (event instanceof TraceEvent.RegionUnmap gone) {
            remove(gone.start(), gone.start() + gone.size());
        }
    }

    private void remove(long start, long end) {
        Map.Entry<Long, Long> last = ends.lowerEntry(end);
        while (last != null && last.getValue() > start) {
            ends.remove(last.getKey());
            if (last.getKey() < start) {
                ends.put(last.getKey(), start);
            }
            if (last.getValue() > end) {
                ends.put(end, last.getValue());
            }
            last = ends.lowerEntry(end);
        }
    }

    /**
     * Returns whether an address lies in one of the ranges.
     *
     * @param bounds start and end of addresses around it, which are narrowed to those of which the
     *     same is true
     */
    boolean covers(long address, long[] bounds) {
        Map.Entry<Long, Long> below = ends.floorEntry(address);
        boolean covered = below != null && address < below.getValue();
        Long next = ends.higherKey(address);
        if (below != null) {
            bounds[0] = Math.max(bounds[0], covered ? below.getKey() : below.getValue());
        }
        long end = covered ? below.getValue() : next == null ? Long.MAX_VALUE : next;
        bounds[1] = Math.min(bounds[1], end);
        return covered;
    }

    /** Takes over the ranges of the process that forked this one. */
    void inherit(ThreadMemory parent) {
        ends.putAll(parent.ends);
    }
}
