package dev.madt.view;

/**
 * Takes accesses as they are decoded, when a view only counts what is accessed from where and can
 * do without batches.
 */
public interface AccessCounter {
    /**
     * An access to something that is not a block after its end. A modify is one call.
     *
     * @param number of the access, of a modify that of its load
     */
    void access(long number, int thread, Place place, Datum datum, long address);

    /**
     * A place has done so many times more what it did in the last {@link #access}; told some time
     * later, but in front of its next access.
     *
     * @param number of the last time, or of one by another place behind it
     */
    void again(long number, int thread, Place place, long times);

    /** The trace is at its end: the number behind its last event that has one. */
    default void behind(long next) {}

    /**
     * Who counts by time is told of what is done {@link #again} in front of the access with this
     * number.
     */
    default long until() {
        return Long.MAX_VALUE;
    }

    /**
     * Whether who counts is told of what is done {@link #again} in front of an access by another
     * thread.
     */
    default boolean byThread() {
        return false;
    }
}
