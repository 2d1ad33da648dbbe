package dev.madt.collector;

import dev.madt.pipeline.Pipelines;
import dev.madt.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Says how the traces of a run came out. A shell script makes thousands of processes: of those of
 * whom there is nothing to say but how much they recorded, the one with most accesses and the first
 * {@value #MOST_USUAL} others are kept; the rest are counted together. All of whom there is more to
 * say are kept.
 */
public final class TraceResults {
    private static final int MOST_USUAL = 10;

    private final TreeMap<Integer, TraceResult> kept = new TreeMap<>();
    private final TreeMap<Integer, TraceResult> usual = new TreeMap<>();
    private TraceResult largest;
    private long further;
    private long furtherAccesses;
    private long furtherCalls;
    private long windows;

    private final Pipelines pipelines;

    /** @param nanos makes nanoseconds of ticks */
    TraceResults(LongUnaryOperator nanos) {
        this.pipelines = new Pipelines(nanos);
    }

    /** Adds a process that has ended, and executes no other program. */
    void add(Stage stage) {
        pipelines.add(stage);
    }

    /** Returns what is to be said of pipelines, where times are recorded. */
    public List<String> pipelines() {
        return pipelines.sentences();
    }

    void add(TraceResult result) {
        windows += result.windows();
        if (!result.isUnremarkable()) {
            kept.put(result.serial(), result);
        } else if (largest == null) {
            largest = result;
        } else if (size(result) > size(largest)) {
            addUsual(largest);
            largest = result;
        } else {
            addUsual(result);
        }
    }

    private void addUsual(TraceResult result) {
        usual.put(result.serial(), result);
        if (usual.size() > MOST_USUAL) {
            TraceResult last = usual.pollLastEntry().getValue();
            further++;
            furtherAccesses += last.accesses();
            furtherCalls += last.enters();
        }
    }

    /** Returns what is recorded in it: accesses and calls. */
    public static long size(TraceResult result) {
        return result.accesses() + result.enters();
    }

    /** In the order in which the processes began. */
    public List<TraceResult> all() {
        TreeMap<Integer, TraceResult> all = new TreeMap<>(kept);
        all.putAll(usual);
        if (largest != null) {
            all.put(largest.serial(), largest);
        }
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

    /** Their calls. */
    public long furtherCalls() {
        return furtherCalls;
    }

    /** Windows of all processes together. */
    public long windows() {
        return windows;
    }

    public boolean isEmpty() {
        return kept.isEmpty() && largest == null;
    }
}
