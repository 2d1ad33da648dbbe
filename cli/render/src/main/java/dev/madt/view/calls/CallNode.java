package dev.madt.view.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A function in a tree of calls, with what its calls cost there and what lies below it. */
final class CallNode {
    private final CallFunction function;
    private final String name;
    /** By what paths call the functions. */
    private final Map<String, CallNode> below = new LinkedHashMap<>();

    private long calls;
    private long self;
    private long all;
    private long accesses;

    private CallNode(CallFunction function, String name) {
        this.function = function;
        this.name = name;
    }

    /** A node of no costs. */
    static CallNode of(CallFunction function, String name) {
        return new CallNode(function, name);
    }

    /** The node below this one for the last function of a path. */
    CallNode below(CallPath path) {
        return below.computeIfAbsent(
                path.last() + '\n' + path.function().module(),
                absent -> new CallNode(path.function(), path.last()));
    }

    /**
     * Adds what calls cost.
     *
     * @param sum what it and all that it called count
     */
    void add(CallCost cost, CallTree.Sum sum) {
        calls += cost.calls();
        self += CallMeasure.TIME.of(cost);
        all += sum.weight();
        accesses += sum.accesses();
    }

    /** Returns the name that paths have of the function. */
    String name() {
        return name;
    }

    String module() {
        return function.module();
    }

    long calls() {
        return calls;
    }

    /** Nanoseconds in the function alone. */
    long self() {
        return self;
    }

    /** Nanoseconds with all that it called; calls in all, where there are no times. */
    long all() {
        return all;
    }

    /** Accesses with those of all that it called. */
    long accesses() {
        return accesses;
    }

    /** Returns what lies below it, the largest first. */
    List<CallNode> below() {
        List<CallNode> sorted = new ArrayList<>(below.values());
        sorted.sort(Comparator.comparingLong(CallNode::all)
                .thenComparingLong(CallNode::calls)
                .reversed()
                .thenComparing(CallNode::name));
        return sorted;
    }
}
