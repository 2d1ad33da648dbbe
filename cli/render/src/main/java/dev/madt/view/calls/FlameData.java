package dev.madt.view.calls;

import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.PackedNumbers;
import dev.madt.view.toolkit.TextBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A flame graph as data of its page: paths, each behind its caller, those of one caller in the
 * order of their first calls. Numbers of a path: how many callers up from the last path its own
 * caller is, function, and of each measure what it counts itself; where there are earlier traces,
 * what it counted in these follows. Times in which a function did not run are paths of their own
 * below it, and so are all paths together that are too small.
 */
final class FlameData {
    /** Says of what a box is. */
    private enum Kind {
        FUNCTION,
        OFF_CPU,
        SMALLER,
        THREAD
    }

    private record Shown(String name, String module, Kind kind) {}

    private record Step(FlameTree.Node node, int depth) {}

    private static final String SMALLER = "(smaller paths)";

    private final FlameTree tree;
    private final List<CallMeasure> measures;
    private final int offCpu;
    private final Map<Shown, Integer> functions = new LinkedHashMap<>();
    private final PackedNumbers numbers = new PackedNumbers();
    private final Set<FlameTree.Node> shown = Collections.newSetFromMap(new IdentityHashMap<>());
    private int last = -1;

    FlameData(FlameTree tree) {
        this.tree = tree;
        this.measures = tree.measures().stream()
                .filter(one -> one != CallMeasure.ON_CPU && one != CallMeasure.OFF_CPU)
                .toList();
        this.offCpu = tree.measures().indexOf(CallMeasure.OFF_CPU);
        shown.addAll(tree.shown());
    }

    /** Writes the measures, the functions and the numbers of paths, as members of an object. */
    void write(TextBuffer text) {
        paths();
        List<String> words =
                measures.stream().map(one -> JsonText.quoted(one.word())).toList();
        text.text("\"measures\":[" + String.join(",", words) + "]");
        text.text(",\"offCpu\":" + (offCpu >= 0));
        text.text(",\"cut\":").decimal(tree.paths() - shown.size());
        text.text(",\"least\":" + tree.least());
        text.text(",\n\"functions\":[");
        String before = "\n";
        for (Shown one : functions.keySet()) {
            text.text(before).text("[").text(JsonText.quoted(one.name())).text(",");
            text.text(JsonText.quoted(one.module())).text(",");
            text.decimal(one.kind().ordinal()).text("]");
            before = ",\n";
        }
        text.text("],\n\"paths\":\"").text(numbers.text()).text("\"");
    }

    private void paths() {
        Deque<Step> left = new ArrayDeque<>();
        left.push(new Step(tree.start(), 0));
        while (!left.isEmpty()) {
            Step step = left.pop();
            path(step.node(), step.depth());
            List<FlameTree.Node> small = new ArrayList<>();
            List<Step> callees = new ArrayList<>();
            for (FlameTree.Node callee : tree.callees(step.node())) {
                if (shown.contains(callee)) {
                    callees.add(new Step(callee, step.depth() + 1));
                } else {
                    small.add(callee);
                }
            }
            smaller(small, step.depth() + 1);
            Collections.reverse(callees);
            callees.forEach(left::push);
        }
    }

    /** A path, and when it did not run, which belongs to it. */
    private void path(FlameTree.Node node, int depth) {
        CallPath path = node.path();
        CallCost before = path.cost(true);
        Kind kind = tree.isThread(node) ? Kind.THREAD : Kind.FUNCTION;
        begin(new Shown(path.last(), path.function().module(), kind), depth);
        for (CallMeasure measure : measures) {
            long off = measure == CallMeasure.TIME ? path.offCpu() : 0;
            long offBefore = measure == CallMeasure.TIME ? before.offCpu() : 0;
            counts(measure.of(path) - off, measure.of(before) - offBefore);
        }
        Set<String> reasons = new LinkedHashSet<>(path.offCpuParts().keySet());
        reasons.addAll(before.offCpuParts().keySet());
        for (String reason : reasons) {
            begin(new Shown(reason, "", Kind.OFF_CPU), depth + 1);
            for (CallMeasure measure : measures) {
                boolean time = measure == CallMeasure.TIME;
                counts(
                        time ? path.offCpuParts().getOrDefault(reason, 0L) : 0,
                        time ? before.offCpuParts().getOrDefault(reason, 0L) : 0);
            }
        }
    }

    /** All that is called from a path and is too small to be drawn. */
    private void smaller(List<FlameTree.Node> small, int depth) {
        if (small.isEmpty()) {
            return;
        }
        begin(new Shown(SMALLER, "", Kind.SMALLER), depth);
        for (CallMeasure measure : measures) {
            boolean time = measure == CallMeasure.TIME;
            int at = tree.measures().indexOf(measure);
            counts(
                    sum(small, at, false) - (time ? sum(small, offCpu, false) : 0),
                    sum(small, at, true) - (time ? sum(small, offCpu, true) : 0));
        }
        if (sum(small, offCpu, false) + sum(small, offCpu, true) > 0) {
            begin(new Shown("off-CPU in " + SMALLER, "", Kind.OFF_CPU), depth + 1);
            for (CallMeasure measure : measures) {
                boolean time = measure == CallMeasure.TIME;
                counts(time ? sum(small, offCpu, false) : 0, time ? sum(small, offCpu, true) : 0);
            }
        }
    }

    private long sum(List<FlameTree.Node> nodes, int measure, boolean before) {
        return measure < 0 || before && !tree.isCompared()
                ? 0
                : nodes.stream()
                        .mapToLong(node -> (before ? node.before() : node.all())[measure])
                        .sum();
    }

    private void begin(Shown function, int depth) {
        Integer known = functions.putIfAbsent(function, functions.size());
        numbers.add(last + 1 - depth).add(known == null ? functions.size() - 1 : known);
        last = depth;
    }

    private void counts(long now, long before) {
        numbers.add(now);
        if (tree.isCompared()) {
            numbers.add(before);
        }
    }
}
