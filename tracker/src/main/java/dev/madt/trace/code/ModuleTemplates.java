package dev.madt.trace.code;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.WordSources;

/**
 * The templates of one module, numbered from 0: one for each instruction of a {@link CodeMap}, or
 * the ranges of a {@link SplicePlan}. Implementations are immutable; a number outside 0 to
 * {@link #entries} - 1 is an {@link IndexOutOfBoundsException}.
 */
public interface ModuleTemplates {
    /** Returns how many templates there are. */
    int entries();

    /**
     * The number that template 0 should have in a process, where that is free: it stands in the
     * code. 0: any.
     */
    default int firstTemplate() {
        return 0;
    }

    /** Words behind the header of this record in a chunk. */
    int words(int entry);

    /**
     * Returns how the words of this template follow from those in a chunk; null: all of them are
     * there. If not null, the next template is its whole form: the same with all words.
     */
    default WordSources sources(int entry) {
        return null;
    }

    /**
     * Returns whether this template tells of a call: its words are written in front of its header.
     */
    default boolean isProbe(int entry) {
        return false;
    }

    /**
     * One site per word of the template, in order; derived ones included.
     *
     * @param bias added to ELF virtual addresses
     */
    AccessSite[] sites(int entry, long bias);
}
