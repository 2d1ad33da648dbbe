package dev.madt.view.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths of a profile with what their functions and all that these called count together, and
 * without those that are too small to be seen.
 */
final class FlameTree {
    /** Of too many paths those are shown that have this part of anything; then twice it. */
    private static final double LEAST_PART = 1e-7;

    private static final int MOST = 200_000;

    /**
     * A path; of each measure what it counts with all that it called, now and in the earlier traces
     * (null if there are none), and how wide its box is: so that there is room for either.
     */
    record Node(CallPath path, long[] all, long[] before, long[] width) {}

    private final CallProfile profile;
    private final List<CallMeasure> measures = new ArrayList<>();
    private final Map<CallPath, Node> nodes = new IdentityHashMap<>();
    private final List<Node> shown = new ArrayList<>();
    private double least;

    FlameTree(CallProfile profile) {
        this.profile = profile;
        for (CallMeasure measure : CallMeasure.values()) {
            if (profile.has(measure)) {
                measures.add(measure);
            }
        }
        List<CallPath> paths = profile.paths();
        for (CallPath path : paths) {
            nodes.put(path, node(path));
        }
        for (int i = paths.size() - 1; i > 0; i--) {
            CallPath path = paths.get(i);
            Node node = nodes.get(path);
            Node outer = nodes.get(path.caller());
            add(outer.all(), node.all());
            if (profile.isCompared()) {
                add(outer.before(), node.before());
                add(outer.width(), node.width());
            }
        }
        choose(paths, 0);
    }

    private Node node(CallPath path) {
        long[] all = costs(path);
        if (!profile.isCompared()) {
            return new Node(path, all, null, all);
        }
        long[] before = costs(path.cost(true));
        long[] width = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            width[i] = Math.max(all[i], before[i]);
        }
        return new Node(path, all, before, width);
    }

    private long[] costs(CallCost cost) {
        return measures.stream().mapToLong(measure -> measure.of(cost)).toArray();
    }

    private static void add(long[] to, long[] more) {
        for (int i = 0; i < to.length; i++) {
            to[i] += more[i];
        }
    }

    private void choose(List<CallPath> paths, double part) {
        shown.clear();
        least = part;
        for (CallPath path : paths) {
            Node node = nodes.get(path);
            if (part == 0 || path.caller() == null || isLarge(node, part)) {
                shown.add(node);
            }
        }
        if (shown.size() > MOST) {
            choose(paths, part == 0 ? LEAST_PART : 2 * part);
        }
    }

    private boolean isLarge(Node node, double part) {
        boolean large = false;
        for (int i = 0; i < measures.size(); i++) {
            large |= node.width()[i] > 0 && node.width()[i] >= part * start().width()[i];
        }
        return large;
    }

    /** Returns whether there are earlier traces to compare with. */
    boolean isCompared() {
        return profile.isCompared();
    }

    /** Returns whether a path is that of a thread. */
    boolean isThread(Node node) {
        return profile.isThread(node.path());
    }

    /** Returns what there is to be counted. */
    List<CallMeasure> measures() {
        return measures;
    }

    /** Returns the node whose part is everything. */
    Node start() {
        return nodes.get(profile.start());
    }

    /** The paths that are shown, each behind the one that leads to it. */
    List<Node> shown() {
        return shown;
    }

    /** Returns which part of something a path has to have to be shown; 0 if all are shown. */
    double least() {
        return least;
    }

    /** Returns how many paths there are. */
    int paths() {
        return nodes.size();
    }

    /** Returns what is called from a path, in the order of the first calls. */
    List<Node> callees(Node node) {
        return node.path().callees().stream()
                .sorted(Comparator.comparingInt(CallPath::order))
                .map(nodes::get)
                .toList();
    }

    /** Returns what is called from a path, the largest first. */
    List<Node> callees(Node node, CallMeasure measure) {
        int at = measures.indexOf(measure);
        return node.path().callees().stream()
                .map(nodes::get)
                .sorted(Comparator.comparingLong(callee -> -callee.width()[at]))
                .toList();
    }
}
