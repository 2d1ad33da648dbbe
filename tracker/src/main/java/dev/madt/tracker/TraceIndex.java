package dev.madt.tracker;

/**
 * The last frame of a complete trace.
 *
 * @param accesses loads and stores as printed: a modify counts twice
 * @param blocks block events
 * @param allocations allocation events
 * @param frames frames in front of the index
 * @param offsets file offset of each EVTS frame, ascending
 * @param firsts number of the first access or block event of that frame
 */
public record TraceIndex(long accesses, long blocks, long allocations, long frames, long[] offsets, long[] firsts) {}
