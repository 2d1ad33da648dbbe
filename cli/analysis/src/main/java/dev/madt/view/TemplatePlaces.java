package dev.madt.view;

import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;
import java.util.function.Predicate;

/** The places of a template's sites, and what {@link RecordCounts} knows of them. */
final class TemplatePlaces {
    static final long UNKNOWN = -1;

    final RecordTemplate template;
    /** Not to be changed. */
    final Place[] places;
    /** Loads and stores when every access is made. */
    final int accesses;
    /**
     * Says where the accesses of each place are alike: the first address, and how many there are; 0
     * if that is not known.
     */
    final long[] windows;
    /** Of each window what {@link Place#cell} said when it was opened. */
    final long[] cells;
    /**
     * Says how often there was a record of the template when the counter was told last of a place.
     */
    final long[] told;
    /**
     * Says how often there was a record of the template, and how often when all of them were told
     * of.
     */
    long times;

    long toldTimes;
    /** Holds what {@link AddressStates#all} said when the windows were looked at last. */
    long state = UNKNOWN;
    /** The accesses of the last time were all made, and in the windows. */
    boolean whole;
    /** Of its records only samples come, of which each is looked up. */
    boolean sampled;
    /** Says how often places have left their windows, up to a number. */
    int moves;
    /** Says where the words of the last time stand. */
    int from;
    /** Says whether none of the accesses of the last time was to memory that matters. */
    boolean elsewhere;
    /** None of the places makes accesses that matter; known when somebody has asked. */
    private Boolean idle;

    TemplatePlaces(RecordTemplate template, Place[] places) {
        this.template = template;
        this.places = places;
        this.accesses = template.accesses();
        this.windows = new long[2 * places.length];
        this.cells = new long[places.length];
        this.told = new long[places.length];
    }

    /** Looks whether accesses of a record are to memory that matters: {@link #elsewhere}. */
    void look(Needs.Memory memory, long[] addresses, int from) {
        elsewhere = true;
        for (int i = 0; elsewhere && i < places.length; i++) {
            long address = addresses[from + i];
            elsewhere = address == SharedLayout.WORD_NONE
                    || !memory.concerns(address, places[i].size());
        }
    }

    /** Returns whether none of the places is of the code that matters. */
    boolean isIdle(Predicate<Place> code) {
        if (idle == null) {
            idle = Arrays.stream(places).noneMatch(code);
        }
        return idle;
    }
}
