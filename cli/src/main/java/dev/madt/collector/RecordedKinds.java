package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.trace.code.SplicePlan;
import java.util.List;

/**
 * What {@code --record} names.
 *
 * @param accesses loads and stores, and block events
 * @param calls functions that are entered and left
 */
public record RecordedKinds(boolean accesses, boolean calls) {
    public static final String ACCESSES = "accesses";
    public static final String CALLS = "calls";

    /** The words that a list may have. */
    public static List<String> words() {
        return List.of(ACCESSES, CALLS);
    }

    /** A list like {@code accesses,calls}. */
    public static RecordedKinds of(String list) throws Failure {
        List<String> kinds = List.of(list.split(",", -1));
        for (String kind : kinds) {
            if (!words().contains(kind)) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "--record is a list of " + String.join(", ", words()) + ", not '" + list
                                + "'." + Suggestion.sentence(kind, words()));
            }
        }
        return new RecordedKinds(kinds.contains(ACCESSES), kinds.contains(CALLS));
    }

    /** Flags of the splice plans that this needs. */
    int planFlags() {
        return (calls ? SplicePlan.CALLS : 0) | (accesses ? 0 : SplicePlan.BARE);
    }
}
