package dev.madt.view.sharing;

import dev.madt.view.Place;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds loops in which a thread waits for another one: instructions that load the same one or two
 * variables again and again, with no other access between. Atomic loads of compilers' intrinsics
 * are plain moves, and nothing else tells of them. A loop that counts its rounds and adds up what
 * it loads looks the same: which load ends a loop, a trace does not tell.
 */
final class WaitLoops {
    /** Rounds of a loop that does nothing else. */
    private static final int ROUNDS = 3;

    private final Set<Long> variables = new HashSet<>();
    private int thread;
    /** Counts accesses that are like the one before the last; and those like the last. */
    private int alternating;

    private int same;
    private long lastAddress;
    private Place lastPlace;
    private long otherAddress;
    private Place otherPlace;

    /** Takes the next access, and returns whether it is one of such a loop. */
    boolean isWaiting(int by, Place place, long address, boolean store) {
        if (store || by != thread) {
            thread = by;
            same = 0;
            alternating = 0;
            otherAddress = 0;
            otherPlace = null;
        } else {
            same = place == lastPlace && address == lastAddress ? same + 1 : 0;
            alternating = place == otherPlace && address == otherAddress ? alternating + 1 : 0;
            otherAddress = lastAddress;
            otherPlace = lastPlace;
        }
        lastAddress = store ? 0 : address;
        lastPlace = store ? null : place;
        return same >= ROUNDS || alternating >= 2 * ROUNDS;
    }

    void add(long variable) {
        variables.add(variable);
    }

    Set<Long> variables() {
        return variables;
    }
}
