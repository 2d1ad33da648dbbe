package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what {@code --record} names.
 *
 * @param accesses loads and stores, and bulk transfers
 * @param calls functions that are entered and left
 * @param locks how threads wait for each other
 * @param times when that was, of calls and locks
 */
public record RecordedKinds(boolean accesses, boolean calls, boolean locks, boolean times) {
    /** Neither: instruments alone. */
    public static final RecordedKinds NOTHING = new RecordedKinds(false, false, false, false);

    public static final String ACCESSES = "accesses";
    public static final String CALLS = "calls";
    public static final String LOCKS = "locks";
    /** Words of {@code --time}: the processor's time stamp counter, or nothing. */
    public static final List<String> CLOCKS = List.of("tsc", "none");

    /** The words that a list may have. */
    public static List<String> words() {
        return List.of(ACCESSES, CALLS, LOCKS);
    }

    /**
     * A list like {@code accesses,calls}.
     *
     * @param clock one of {@link #CLOCKS}; null: nobody chose one
     */
    public static RecordedKinds of(String list, String clock) throws Failure {
        List<String> kinds = List.of(list.split(",", -1));
        for (String kind : kinds) {
            if (!words().contains(kind)) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "--record is a list of " + String.join(", ", words()) + ", not '" + list
                                + "'." + Suggestion.sentence(kind, words()));
            }
        }
        boolean calls = kinds.contains(CALLS);
        boolean timed = timed(clock == null ? CLOCKS.get(0) : clock);
        if (clock != null && !calls && !kinds.contains(LOCKS)) {
            throw new Failure(
                    Status.RUN_FAILED, "--time goes with calls. Add --record accesses,calls.");
        }
        boolean locks = kinds.contains(LOCKS);
        if (locks && !timed) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--record locks needs times, which tell who waited and for how long. Leave out"
                            + " --time none.");
        }
        return new RecordedKinds(kinds.contains(ACCESSES), calls, locks, locks || calls && timed);
    }

    /** Returns what is recorded, in words: {@code accesses and calls}; empty for instruments. */
    public String text() {
        List<String> kinds = new ArrayList<>();
        if (accesses) {
            kinds.add(ACCESSES);
        }
        if (calls) {
            kinds.add(CALLS);
        }
        if (locks) {
            kinds.add(LOCKS);
        }
        return Completeness.join(kinds);
    }

    private static boolean timed(String clock) throws Failure {
        if (!CLOCKS.contains(clock)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--time is " + String.join(" or ", CLOCKS) + ", not '" + clock + "'.");
        }
        return !clock.equals("none");
    }
}
