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
    /** A path is shown if it has this part of something that is counted. */
    private static final double LEAST_PART = 1e-4;

    private static final int MOST = 40_000;

    /** A path; {@code all} counts what it called as well. */
    record Node(CallPath path, long[] all) {}

    private final CallProfile profile;
    private final List<CallMeasure> measures = new ArrayList<>();
    private final Map<CallPath, Node> nodes = new IdentityHashMap<>();
    private final List<Node> shown = new ArrayList<>();

    FlameTree(CallProfile profile) {
        this.profile = profile;
        for (CallMeasure measure : CallMeasure.values()) {
            if (profile.has(measure)) {
                measures.add(measure);
            }
        }
        List<CallPath> paths = profile.paths();
        for (CallPath path : paths) {
            long[] all = new long[measures.size()];
            for (int i = 0; i < all.length; i++) {
                all[i] = measures.get(i).of(path);
            }
            nodes.put(path, new Node(path, all));
        }
        for (int i = paths.size() - 1; i > 0; i--) {
            CallPath path = paths.get(i);
            long[] all = nodes.get(path).all();
            long[] outer = nodes.get(path.caller()).all();
            for (int k = 0; k < all.length; k++) {
                outer[k] += all[k];
            }
        }
        choose(paths, LEAST_PART);
    }

    private void choose(List<CallPath> paths, double part) {
        shown.clear();
        for (CallPath path : paths) {
            Node node = nodes.get(path);
            if (path.caller() == null || isLarge(node, part)) {
                shown.add(node);
            }
        }
        if (shown.size() > MOST) {
            choose(paths, 2 * part);
        }
    }

    private boolean isLarge(Node node, double part) {
        boolean large = false;
        for (int i = 0; i < measures.size(); i++) {
            large |= node.all()[i] > 0 && node.all()[i] >= part * start().all()[i];
        }
        return large;
    }

    /** What there is to be counted. */
    List<CallMeasure> measures() {
        return measures;
    }

    /** Whose part is everything. */
    Node start() {
        return nodes.get(profile.start());
    }

    /** The paths that are shown, each behind the one that leads to it. */
    List<Node> shown() {
        return shown;
    }

    /** What is called from a path, the largest first. */
    List<Node> callees(Node node, CallMeasure measure) {
        int at = measures.indexOf(measure);
        return node.path().callees().stream()
                .map(nodes::get)
                .sorted(Comparator.comparingLong(callee -> -callee.all()[at]))
                .toList();
    }
}
