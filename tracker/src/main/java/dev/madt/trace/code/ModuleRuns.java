package dev.madt.trace.code;

import dev.madt.trace.event.Site;

/**
 * The runs of one module, numbered from 0: one for each instruction of a {@link CodeMap}, or the
 * stretches of a {@link SplicePlan}. Implementations are immutable; a number outside 0 to
 * {@link #entries} - 1 is an {@link IndexOutOfBoundsException}.
 */
public interface ModuleRuns {
    /** How many runs there are. */
    int entries();

    /**
     * The number that run 0 should have in a process, where that is free: it stands in the code. 0:
     * any.
     */
    default int firstRun() {
        return 0;
    }

    /** Words behind the header of this run. */
    int words(int entry);

    /** Whether this run tells of a call: its words are written in front of its header. */
    default boolean isProbe(int entry) {
        return false;
    }

    /**
     * One site per word of the run, in order.
     *
     * @param bias added to ELF virtual addresses
     */
    Site[] sites(int entry, long bias);
}
