package dev.madt.collector;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * How the traces of a run came out. A shell script makes thousands of processes: the first
 * {@value #MOST_USUAL} of whom there is nothing to say but how much they recorded are kept, with
 * all others; the rest are counted together.
 */
public final class TraceResults {
    private static final int MOST_USUAL = 10;

    private final TreeMap<Integer, TraceResult> kept = new TreeMap<>();
    private final TreeMap<Integer, TraceResult> usual = new TreeMap<>();
    private long further;
    private long furtherAccesses;

    void add(TraceResult result) {
        if (!result.isUnremarkable()) {
            kept.put(result.serial(), result);
            return;
        }
        usual.put(result.serial(), result);
        if (usual.size() > MOST_USUAL) {
            TraceResult last = usual.pollLastEntry().getValue();
            further++;
            furtherAccesses += last.accesses();
        }
    }

    /** In the order in which the processes began. */
    public List<TraceResult> all() {
        TreeMap<Integer, TraceResult> all = new TreeMap<>(kept);
        all.putAll(usual);
        return new ArrayList<>(all.values());
    }

    /** Traces that are only counted. */
    public long further() {
        return further;
    }

    /** Their accesses. */
    public long furtherAccesses() {
        return furtherAccesses;
    }

    public boolean isEmpty() {
        return kept.isEmpty() && usual.isEmpty();
    }
}
