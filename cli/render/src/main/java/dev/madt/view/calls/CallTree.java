package dev.madt.view.calls;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The paths of a profile as trees: of everything from its roots, of what a function called, and of
 * who called it. A function that calls itself counts once: from its outermost call on.
 */
public final class CallTree {
    /** Holds what calls of a path and all that they called count. */
    record Sum(long weight, long accesses) {
        private Sum plus(Sum more) {
            return new Sum(weight + more.weight, accesses + more.accesses);
        }
    }

    /** A path that is to be added to a node. */
    private record Step(CallNode node, CallPath path) {}

    /** Names the root of everything. */
    private static final String ALL = "all";

    private final CallProfile profile;
    private final List<CallPath> paths;
    private final Map<CallPath, Sum> sums = new IdentityHashMap<>();

    public CallTree(CallProfile profile) {
        this.profile = profile;
        this.paths = profile.paths();
        CallMeasure measure = profile.isTimed() ? CallMeasure.TIME : CallMeasure.CALLS;
        for (int i = paths.size() - 1; i >= 0; i--) {
            CallPath path = paths.get(i);
            sums.merge(path, new Sum(measure.of(path), path.accesses()), Sum::plus);
            if (i > 0) {
                sums.merge(path.caller(), sums.get(path), Sum::plus);
            }
        }
    }

    /** Returns whether nodes have times. */
    boolean isTimed() {
        return profile.isTimed();
    }

    /** Returns whether nodes have accesses. */
    boolean isOfAccesses() {
        return profile.isOfAccesses();
    }

    /** Everything, from the functions that nobody called. */
    CallNode whole() {
        CallNode root = CallNode.of(profile.start().function(), ALL);
        merge(root, profile.start());
        return root;
    }

    /** The functions with such names, the one first with which most was spent. */
    public List<CallFunction> functions(Predicate<String> wanted) {
        return profile.functions().stream()
                .filter(function -> function.isKnown() && wanted.test(function.name()))
                .sorted(Comparator.comparingLong(CallFunction::total)
                        .thenComparingLong(CallFunction::calls)
                        .reversed()
                        .thenComparing(CallFunction::name))
                .toList();
    }

    /** Returns the tree of what a function called. */
    CallNode callees(CallFunction function) {
        CallNode root = CallNode.of(function, function.name());
        paths.stream()
                .filter(path -> isOutermost(path, function))
                .forEach(path -> merge(root, path));
        return root;
    }

    private void merge(CallNode root, CallPath from) {
        Deque<Step> open = new ArrayDeque<>(List.of(new Step(root, from))); // recursion is deep
        while (!open.isEmpty()) {
            Step step = open.pop();
            step.node.add(step.path, sums.get(step.path));
            step.path
                    .callees()
                    .forEach(callee -> open.push(new Step(step.node.below(callee), callee)));
        }
    }

    /**
     * Returns the tree of who called a function: each node has what the calls by way of it cost.
     */
    CallNode callers(CallFunction function) {
        CallNode root = CallNode.of(function, function.name());
        for (CallPath path : paths) {
            if (isOutermost(path, function)) {
                CallNode node = root;
                node.add(path, sums.get(path));
                for (CallPath by = path.caller(); by.caller() != null; by = by.caller()) {
                    node = node.below(by);
                    node.add(path, sums.get(path));
                }
            }
        }
        return root;
    }

    private static boolean isOutermost(CallPath path, CallFunction function) {
        if (path.function() != function) {
            return false;
        }
        for (CallPath by = path.caller(); by != null; by = by.caller()) {
            if (by.function() == function) {
                return false;
            }
        }
        return true;
    }
}
