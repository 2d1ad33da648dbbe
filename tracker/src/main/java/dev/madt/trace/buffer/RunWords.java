package dev.madt.trace.buffer;

/**
 * How many words follow the header of a run in the shared buffer; runs 1 to 5 are built in, the
 * others come from code maps.
 */
@FunctionalInterface
public interface RunWords {
    /** The words of this run, or a negative number if no module has it. */
    int words(int run);

    /**
     * Whether the words of this run are written in front of its header, so that none comes later.
     */
    default boolean wordsFirst(int run) {
        return false;
    }
}
