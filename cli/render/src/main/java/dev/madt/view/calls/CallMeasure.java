package dev.madt.view.calls;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says what of a path's last function counts, without what it called. */
public enum CallMeasure {
    TIME("ns"),
    ON_CPU("ns"),
    OFF_CPU("ns"),
    CALLS("calls"),
    ACCESSES("accesses"),
    BYTES("bytes"),
    BLOCKS("blocks"),
    PEAK("bytes"),
    LIFETIME("accesses"),
    HITS("hits"),
    /** Counts what an instrument has summed up. */
    SUM("in all");

    private final String unit;

    CallMeasure(String unit) {
        this.unit = unit;
    }

    /** Returns what can be asked for by a word; an instrument's measures go by its place. */
    public static List<String> words() {
        return Arrays.stream(values())
                .filter(measure -> measure.compareTo(HITS) < 0)
                .map(CallMeasure::word)
                .toList();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether it is known of allocations alone. */
    public boolean isOfBlocks() {
        return this == BLOCKS || this == PEAK || this == LIFETIME;
    }

    /** Returns whether it is counted in nanoseconds. */
    public boolean isTime() {
        return unit.equals("ns");
    }

    String unit() {
        return unit;
    }

    /** Time is never negative, though a signal handler may make it so by some nanoseconds. */
    long of(CallCost cost) {
        return switch (this) {
            case TIME -> Math.max(0, cost.self());
            case ON_CPU -> Math.max(0, cost.self()) - cost.offCpu();
            case OFF_CPU -> cost.offCpu();
            case CALLS -> cost.calls();
            case ACCESSES -> cost.accesses();
            case BYTES -> cost.bytes();
            case BLOCKS -> cost.blocks();
            case PEAK -> cost.peak();
            case LIFETIME -> cost.lifetimes();
            case HITS -> cost.hits();
            case SUM -> cost.sum();
        };
    }
}
