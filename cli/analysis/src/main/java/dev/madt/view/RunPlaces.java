package dev.madt.view;

import dev.madt.trace.event.Run;

/** The places of a run's sites, and what {@link RunCounts} knows of them. */
final class RunPlaces {
    static final long UNKNOWN = -1;

    final Run run;
    /** Not to be changed. */
    final Place[] places;
    /** Loads and stores when every access is made. */
    final int accesses;
    /**
     * Where the accesses of each place are alike: the first address, and how many there are; 0 if
     * that is not known.
     */
    final long[] windows;
    /** Of each window what {@link Place#cell} said when it was opened. */
    final long[] cells;
    /** How often the run was carried out when the counter was told last of a place. */
    final long[] told;
    /** How often the run was carried out, and how often when it was told of as a whole. */
    long times;

    long toldTimes;
    /** What {@link AddressStates#all} said when the windows were looked at last. */
    long state = UNKNOWN;
    /** The accesses of the last time were all made, and in the windows. */
    boolean whole;
    /** Where the words of the last time stand. */
    int from;

    RunPlaces(Run run, Place[] places) {
        this.run = run;
        this.places = places;
        this.accesses = run.accesses();
        this.windows = new long[2 * places.length];
        this.cells = new long[places.length];
        this.told = new long[places.length];
    }
}
