package dev.madt.view.defects;

import dev.madt.view.DataObject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what a search could not look at, since the recording left it out. Whoever searches asks
 * here, so that none of them takes for right what nobody has looked at.
 */
public final class SearchLimits {
    /** Kinds that accesses to blocks show, and nothing else does. */
    private static final Set<DefectKind> OF_ACCESSES = EnumSet.of(
            DefectKind.AFTER_FREE,
            DefectKind.AFTER_REALLOC,
            DefectKind.BEYOND,
            DefectKind.BEFORE,
            DefectKind.NEIGHBOUR,
            DefectKind.UNINITIALISED);

    private static final String COMPLETE = "complete";

    private final Map<String, String> meta;
    private final boolean wanted;
    private boolean accesses;
    private boolean ofBlocks;

    /** @param meta what the trace says of itself, when it has been read */
    SearchLimits(Map<String, String> meta, FoundDefects found) {
        this.meta = meta;
        this.wanted = OF_ACCESSES.stream().anyMatch(found::wants);
    }

    /** Takes note of what an access or a side of a bulk transfer is to. */
    void accessed(DataObject object) {
        accesses = true;
        ofBlocks = ofBlocks
                || object.dead()
                || DefectRules.isHeap(object)
                || object.kind() == DataObject.Kind.BLOCK
                        && !object.block().kind().mapping();
    }

    /** Returns whether no access to a block was there to be looked at, as some were left out. */
    public boolean blind() {
        return wanted && !ofBlocks && !reasons().isEmpty();
    }

    /** Returns what was not looked at, to be said behind "Not looked for:"; empty if nothing. */
    public String text() {
        return !wanted || reasons().isEmpty()
                ? ""
                : (blind()
                                ? "accesses to blocks, of which the trace has none"
                                : "what was left out")
                        + " (" + String.join("; ", reasons()) + ")";
    }

    /** Says of a blind search what it can find; the name of the trace stands in front. */
    String sentence() {
        return " has no accesses" + (accesses ? " to blocks" : "")
                + ": only wrong frees and memory that is never freed can be found ("
                + String.join("; ", reasons()) + ").";
    }

    private List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        String start = meta.getOrDefault("start", "");
        if (meta.getOrDefault("started", "").equals("0")) {
            reasons.add("the recording never began: " + start);
        } else if (!accesses) {
            reasons.add(
                    meta.containsKey("calls")
                            ? "to record both: --record accesses,calls"
                            : meta.containsKey("locks")
                                    ? "to record both: --record accesses,locks"
                                    : "none were recorded");
        } else if (meta.containsKey("windows")) {
            reasons.add("recorded from " + start);
        }
        if (meta.containsKey("heap")) {
            reasons.add("heaps were not chosen: " + meta.getOrDefault("only", ""));
        }
        String completeness = meta.getOrDefault("completeness", COMPLETE);
        if (!completeness.equals(COMPLETE) && !completeness.startsWith(COMPLETE + " up to the ")) {
            reasons.add(completeness);
        }
        return reasons;
    }
}
