package dev.madt.view;

/**
 * The places of a run's sites, and how often the run has done again what it did when it was last
 * counted.
 */
final class RunPlaces {
    /** Who has made places that are good as long as it has them. */
    static final class Owner {}

    private static final long UNKNOWN = -1;

    final Owner owner;
    /** Not to be changed. */
    final Place[] places;

    private long times;
    private long state = UNKNOWN;

    RunPlaces(Owner owner, Place[] places) {
        this.owner = owner;
        this.places = places;
    }

    /**
     * Notes that the accesses of the run have been counted; {@code whole}: each place holds what it
     * accessed.
     */
    void counted(boolean whole, AddressStates states) {
        state = whole ? states.all() : UNKNOWN;
    }

    /** Whether the same accesses would be to the same data. */
    boolean hold(AddressStates states) {
        return state == states.all() || state != UNKNOWN && look(states);
    }

    private boolean look(AddressStates states) {
        for (Place place : places) {
            if (!place.holdsSomewhere(states)) {
                state = UNKNOWN;
                return false;
            }
        }
        state = states.all();
        return true;
    }

    /** Once more; whether that is the first time since {@link #tell}. */
    boolean again() {
        return times++ == 0;
    }

    /** Tells what was done again, by a thread, at last at a number. */
    void tell(AccessCounter counter, int thread, long number) {
        if (times > 0) {
            for (Place place : places) {
                counter.again(number, thread, place, times);
            }
            times = 0;
        }
    }
}
