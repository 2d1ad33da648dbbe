package dev.madt.collector;

import dev.madt.trace.layout.SharedLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says what the trace of a process lacks.
 *
 * @param events ring events and bulk transfers dropped
 * @param accesses accesses dropped
 * @param abandoned events half written when their thread was killed
 * @param unseen how often a page was open to all threads while one of several used it: what the
 *     others did there is missing
 * @param missed how many accesses that may have been: an estimate
 * @param unmapped modules without a code map, whose accesses have no size
 * @param vforks children of vfork that went on unrecorded in its memory
 * @param left why the process went on without MadT, as enum madt_left has it; 0: it did not
 * @param damage what the shared memory held against the layout, or null
 */
public record Losses(
        long events,
        long accesses,
        int abandoned,
        long unseen,
        long missed,
        long unmapped,
        long vforks,
        int left,
        String damage) {
    /** Keys of META and where the control page has their values. */
    static final Map<String, Integer> COUNTERS = counters();

    private static Map<String, Integer> counters() {
        Map<String, Integer> counters = new LinkedHashMap<>();
        counters.put("faults", SharedLayout.Control.FAULTS);
        counters.put("unknown_sites", SharedLayout.Control.UNKNOWN_SITES);
        counters.put("calls_gated", SharedLayout.Control.CALLS_GATED);
        counters.put("calls_opened", SharedLayout.Control.CALLS_OPENED);
        counters.put("unsynchronised", SharedLayout.Control.UNSYNCHRONISED);
        counters.put("missed", SharedLayout.Control.MISSED);
        counters.put("ring_errors", SharedLayout.Control.RING_ERRORS);
        counters.put("access_errors", SharedLayout.Control.ACCESS_ERRORS);
        counters.put("unmapped_modules", SharedLayout.Control.UNMAPPED_MODULES);
        counters.put("unplanned_bytes", SharedLayout.Control.UNPLANNED_BYTES);
        counters.put("patch_traps", SharedLayout.Control.PATCH_TRAPS);
        counters.put("vfork_unseen", SharedLayout.Control.VFORK_UNSEEN);
        counters.put("chains_cut", SharedLayout.Control.CHAINS_CUT);
        return counters;
    }

    static Losses of(ProcessRecorder recorder) {
        return new Losses(
                recorder.counter(SharedLayout.Control.RING_ERRORS)
                        + recorder.trace().frames().lostBlocks(),
                recorder.counter(SharedLayout.Control.ACCESS_ERRORS)
                        + recorder.trace().frames().lostAccesses(),
                recorder.abandoned(),
                recorder.counter(SharedLayout.Control.UNSYNCHRONISED),
                recorder.counter(SharedLayout.Control.MISSED),
                recorder.counter(SharedLayout.Control.UNMAPPED_MODULES),
                recorder.counter(SharedLayout.Control.VFORK_UNSEEN),
                recorder.left(),
                recorder.damage() == null ? null : recorder.damage().getMessage());
    }

    /** Returns whether the process went on without MadT because it could record no more. */
    boolean ranOut() {
        return left == SharedLayout.LEFT_SPACE || left == SharedLayout.LEFT_THREADS;
    }

    boolean none() {
        return events == 0 && accesses == 0 && damage == null;
    }
}
