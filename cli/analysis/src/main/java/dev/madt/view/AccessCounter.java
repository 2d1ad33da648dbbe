package dev.madt.view;

/**
 * Takes accesses as they are decoded, when a view only counts what is accessed from where and can
 * do without batches. Accesses of a place to one data object in one unit of memory are alike: of
 * these only the first one is told at once.
 */
public interface AccessCounter {
    /** Bits of a unit that all addresses are in. */
    int ONE_UNIT = Long.SIZE - 1;

    /**
     * An access to something that is not a block after its end. A modify is one call.
     *
     * @param number of the access, of a modify that of its load
     */
    void access(long number, int thread, Place place, DataObject object, long address);

    /**
     * A place has made so many more accesses that are like its last {@link #access}; told some time
     * later, but in front of its next one.
     *
     * @param number of the last time, or of one by another place behind it
     */
    void again(long number, int thread, Place place, long times);

    /**
     * Returns whether what is accessed matters. Otherwise all accesses of a place are alike, and
     * its data object is null.
     */
    default boolean byDataObject() {
        return true;
    }

    /**
     * Returns whether what a place accesses matters; always the same of a place. Otherwise all of
     * its accesses are alike, and its data object is null.
     */
    default boolean wants(Place place) {
        return true;
    }

    /**
     * Units have 2 to the power of this many bytes; accesses that lie in two units, and with 0
     * those to different addresses, are not alike.
     */
    default int unitBits(Place place, DataObject object) {
        return ONE_UNIT;
    }

    /**
     * Returns whether a place is told by {@link #access} that it turns to another unit of its data
     * object, as if that was another data object. Otherwise it is told by {@link #touch}, and the
     * access counts with the others by {@link #again}.
     */
    default boolean byUnit() {
        return false;
    }

    /**
     * A place accesses another unit of the data object of its last {@link #access}; this does not
     * count.
     */
    default void touch(Place place, long address) {}

    /** The trace is at its end: the number behind its last event that has one. */
    default void behind(long next) {}

    /**
     * Returns the first number of the next time slice: who counts by time is told of what is done
     * {@link #again} in front of the access with it.
     */
    default long until() {
        return Long.MAX_VALUE;
    }

    /**
     * Returns whether counting has to be quick at the moment: of a place's accesses that may be to
     * another data object than its last one, only one in some is looked up, at random, and those
     * until then count as if they were to the last one. How often a place accesses is exact all the
     * same.
     */
    default boolean hurries() {
        return false;
    }

    /**
     * Returns whether the analysis makes something of bulk transfers; if not, it is given none, and
     * what they read and write is not looked up.
     */
    default boolean takesTransfers() {
        return true;
    }

    /**
     * Returns whether who counts is told of what is done {@link #again} in front of an access by
     * another thread.
     */
    default boolean byThread() {
        return false;
    }
}
