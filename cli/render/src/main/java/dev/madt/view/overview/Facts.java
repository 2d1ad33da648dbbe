package dev.madt.view.overview;

import dev.madt.console.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Says what the page says about the run as a whole, and about what the trace does not hold. */
final class Facts {
    /** Holds what the recorder says of a trace that has all that was to be recorded. */
    private static final Set<String> WHOLE = Set.of(
            "complete",
            "complete up to the crash",
            "complete up to the signal",
            "complete up to the end of the recording");

    private Facts() {}

    /** A name and a value each. */
    static List<String[]> of(Overview overview) {
        List<String[]> facts = new ArrayList<>();
        add(facts, "program", overview.meta("program"));
        add(
                facts,
                "process",
                overview.meta("pid")
                        + (overview.meta("host").isEmpty() ? "" : " on " + overview.meta("host")));
        add(facts, "began", overview.meta("begin"));
        add(facts, "ended", overview.meta("end"));
        add(facts, "ending", overview.meta("ended"));
        add(
                facts,
                "recorded",
                overview.meta("engine").isEmpty()
                        ? ""
                        : "by engine " + overview.meta("engine") + ", from "
                                + overview.meta("start") + windows(overview));
        return facts;
    }

    private static String windows(Overview overview) {
        long windows = number(overview, "started");
        return windows > 1 ? ", " + Numbers.grouped(windows) + " windows" : "";
    }

    private static void add(List<String[]> facts, String name, String value) {
        if (!value.isBlank()) {
            facts.add(new String[] {name, value});
        }
    }

    /** Returns what is missing from the trace, the losses first; what no trace holds comes last. */
    static List<String> missing(Overview overview) {
        List<String> missing = new ArrayList<>(losses(overview));
        long unknown = number(overview, "unknown_sites");
        if (unknown > 0) {
            missing.add(Numbers.counted(unknown, "access", "accesses")
                    + " by code without a map: their size is not known.");
        }
        if (overview.meta("unrecorded_share").length() > 0
                && !overview.meta("unrecorded").isEmpty()) {
            missing.add("Code that records nothing: " + overview.meta("unrecorded_share")
                    + " executable bytes (" + overview.meta("unrecorded").replace("\n", "; ")
                    + ").");
        }
        if (overview.meta("stack").isEmpty()) {
            missing.add("Accesses to stacks were not recorded: madt run --stack records them.");
        }
        if (overview.meta("tls").isEmpty()) {
            missing.add("Thread-local storage was not recorded: madt run --tls records it.");
        }
        missing.add("The loader's own accesses are never recorded.");
        return missing;
    }

    /** Returns what was to be recorded and is not in the trace; empty if that is nothing. */
    static List<String> losses(Overview overview) {
        List<String> losses = new ArrayList<>();
        if (!overview.isComplete()) {
            losses.add("The file is cut off: its end is missing.");
        }
        String completeness = overview.meta("completeness");
        if (!completeness.isEmpty() && !WHOLE.contains(completeness)) {
            losses.add("The trace is " + completeness + ".");
        }
        long missed = number(overview, "missed");
        if (missed > 0) {
            losses.add("Accesses of other threads passed unseen (a rough bound: "
                    + Numbers.grouped(missed) + ").");
        }
        return losses;
    }

    private static long number(Overview overview, String key) {
        try {
            return Long.parseLong(overview.meta(key));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
