package dev.madt.view.defects;

import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a thread came to where it is: the call that it is in, and how it came to that one. Equal
 * chains are one object.
 */
final class CallChain {
    private static final int TOLD = 8;

    private final Place call;
    private final CallChain outer;
    private Map<Place, CallChain> inner = Map.of();

    private CallChain(Place call, CallChain outer) {
        this.call = call;
        this.outer = outer;
    }

    /** The chain of a thread that is in no call. */
    static CallChain start() {
        return new CallChain(null, null);
    }

    /** The chain that a further call makes. */
    CallChain in(Place further) {
        if (inner.isEmpty()) {
            inner = new HashMap<>();
        }
        return inner.computeIfAbsent(further, place -> new CallChain(place, this));
    }

    /** The calls as text, the innermost first; of a long chain the inner ones. */
    List<String> told() {
        List<String> told = new ArrayList<>();
        CallChain each = this;
        for (; each.outer != null && told.size() < TOLD; each = each.outer) {
            told.add(Defect.described(each.call));
        }
        if (each.outer != null) {
            told.add("…");
        }
        return told;
    }
}
