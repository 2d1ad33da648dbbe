package dev.madt.view.graph;

import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The loops of a graph: a way that leads back to a block through which a walk in depth came goes
 * round a loop, whose head that block is. Of the loop are the blocks from which control gets back
 * without passing the head. Where the function's entry is one of these, control comes to the loop
 * past its head: then it is none.
 */
public final class FlowLoops {
    private final List<List<Integer>> next = new ArrayList<>();
    /** The ways that lead back in the walk, and of these the ones that go round a loop. */
    private final Set<Long> retreating = new HashSet<>();

    private final Set<Long> back = new HashSet<>();
    /** The blocks of each loop, by its head. */
    private final TreeMap<Integer, BitSet> loops = new TreeMap<>();

    public FlowLoops(FlowGraph graph) {
        for (Node node : graph.nodes()) {
            next.add(node.ways().stream()
                    .filter(way -> way.to() >= 0)
                    .map(Way::to)
                    .distinct()
                    .toList());
        }
        byte[] state = new byte[next.size()];
        for (int root = 0; root < next.size(); root++) {
            if (state[root] == 0) {
                walk(root, state);
            }
        }
        List<List<Integer>> before = reversed();
        for (long way : retreating) {
            collect((int) (way >>> Integer.SIZE), (int) way, before);
        }
    }

    /** In depth, without recursion: functions have thousands of blocks. */
    private void walk(int root, byte[] state) {
        int[] at = new int[next.size()];
        Deque<Integer> open = new ArrayDeque<>();
        open.push(root);
        state[root] = 1;
        while (!open.isEmpty()) {
            int node = open.peek();
            if (at[node] == next.get(node).size()) {
                state[node] = 2;
                open.pop();
                continue;
            }
            int to = next.get(node).get(at[node]++);
            if (state[to] == 0) {
                state[to] = 1;
                open.push(to);
            } else if (state[to] == 1) {
                retreating.add(key(node, to));
            }
        }
    }

    private static long key(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }

    private List<List<Integer>> reversed() {
        List<List<Integer>> before = new ArrayList<>();
        next.forEach(node -> before.add(new ArrayList<>()));
        for (int node = 0; node < next.size(); node++) {
            for (int to : next.get(node)) {
                before.get(to).add(node);
            }
        }
        return before;
    }

    private void collect(int from, int head, List<List<Integer>> before) {
        BitSet loop = new BitSet();
        loop.set(head);
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            int node = open.pop();
            if (!loop.get(node)) {
                loop.set(node);
                open.addAll(before.get(node));
            }
        }
        if (head == 0 || !loop.get(0)) {
            back.add(key(from, head));
            loops.computeIfAbsent(head, absent -> new BitSet()).or(loop);
        }
    }

    /** Returns how many loops there are. */
    public int count() {
        return loops.size();
    }

    /** Returns whether a way leads back in the walk: against the direction of the others. */
    boolean retreats(int from, int to) {
        return retreating.contains(key(from, to));
    }

    /** Returns whether a way leads back to the head of a loop. */
    public boolean isBack(int from, int to) {
        return back.contains(key(from, to));
    }

    public boolean isHead(int node) {
        return loops.containsKey(node);
    }

    /** Returns in how many loops each block is. */
    public int[] depths() {
        int[] depths = new int[next.size()];
        loops.values().forEach(loop -> loop.stream().forEach(node -> depths[node]++));
        return depths;
    }

    /** Returns the head of the innermost loop that a block is in; -1: it is in none. */
    public int[] heads() {
        int[] heads = new int[next.size()];
        int[] sizes = new int[next.size()];
        Arrays.fill(heads, -1);
        loops.forEach((head, loop) -> loop.stream().forEach(node -> {
            if (heads[node] < 0 || loop.cardinality() < sizes[node]) {
                heads[node] = head;
                sizes[node] = loop.cardinality();
            }
        }));
        return heads;
    }
}
