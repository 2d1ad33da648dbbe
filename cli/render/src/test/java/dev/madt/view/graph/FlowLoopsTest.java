package dev.madt.view.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowLoopsTest {
    /** An outer loop 1 to 5 with an inner one, 2 and 3, and a block that goes round by itself. */
    @Test
    void shouldNestLoops() {
        FlowLoops loops = new FlowLoops(RandomGraph.of(
                new int[] {1},
                new int[] {2, 6},
                new int[] {3},
                new int[] {2, 4},
                new int[] {4, 5},
                new int[] {1},
                new int[] {}));
        assertEquals(3, loops.count());
        assertArrayEquals(new int[] {0, 1, 2, 2, 2, 1, 0}, loops.depths());
        assertArrayEquals(new int[] {-1, 1, 2, 2, 4, 1, -1}, loops.heads());
        assertTrue(loops.isBack(5, 1));
        assertTrue(loops.isBack(4, 4));
        assertFalse(loops.isBack(1, 2));
        assertTrue(loops.isHead(2));
        assertFalse(loops.isHead(3));
    }

    /** Control comes into the midst: 1 and 2 go round, and neither is entered first always. */
    @Test
    void shouldTakeNoHeadThatIsPassedBy() {
        FlowLoops loops =
                new FlowLoops(RandomGraph.of(new int[] {1, 2}, new int[] {2}, new int[] {1}));
        assertEquals(0, loops.count());
        assertTrue(loops.retreats(2, 1));
        assertFalse(loops.isBack(2, 1));
    }

    /** A way that goes round a loop leads to a block that all ways from the entry pass. */
    @Test
    void shouldAgreeWithDominators() {
        for (int seed = 1; seed <= 150; seed++) {
            FlowGraph graph = RandomGraph.of(new Random(seed), 3 + seed % 29);
            FlowLoops loops = new FlowLoops(graph);
            BitSet reached = reached(graph, -1);
            for (Node node : graph.nodes()) {
                for (Way way : node.ways()) {
                    boolean round = reached.get(node.number())
                            && (way.to() == node.number()
                                    || !reached(graph, way.to()).get(node.number()));
                    if (reached.get(node.number())) {
                        assertEquals(
                                round,
                                loops.isBack(node.number(), way.to()),
                                "seed " + seed + ": " + node.number() + " to " + way.to());
                    }
                }
            }
        }
    }

    /** The blocks that control reaches from the entry without passing one. */
    private static BitSet reached(FlowGraph graph, int without) {
        BitSet reached = new BitSet();
        Deque<Integer> open = new ArrayDeque<>();
        if (without != 0) {
            open.push(0);
        }
        while (!open.isEmpty()) {
            int node = open.pop();
            if (reached.get(node)) {
                continue;
            }
            reached.set(node);
            graph.nodes().get(node).ways().stream()
                    .filter(way -> way.to() != without)
                    .forEach(way -> open.push(way.to()));
        }
        return reached;
    }
}
