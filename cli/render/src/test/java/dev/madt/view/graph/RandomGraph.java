package dev.madt.view.graph;

import dev.madt.trace.code.BlockEnd;
import dev.madt.trace.code.EdgeKind;
import dev.madt.trace.code.InstrumentReason;
import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Graphs for tests. */
final class RandomGraph {
    private RandomGraph() {}

    /** A graph with these ways, by block. */
    static FlowGraph of(int[]... ways) {
        List<Node> nodes = new ArrayList<>();
        for (int number = 0; number < ways.length; number++) {
            int start = 0x1000 + 16 * number;
            nodes.add(new Node(
                    number,
                    start,
                    start + 16,
                    BlockEnd.JUMP,
                    InstrumentReason.POSSIBLE,
                    InstrumentReason.POSSIBLE,
                    List.of(new Line(start, "jmp somewhere, or nowhere at all", "", "")),
                    Arrays.stream(ways[number])
                            .mapToObj(to -> new Way(to, EdgeKind.TARGET, ""))
                            .toList(),
                    FlowGraph.UNKNOWN));
        }
        return new FlowGraph("f", "m", 0x1000, 0x1000 + 16L * ways.length, nodes, false);
    }

    /** Most ways lead to the next block or one near by, as in code. */
    static FlowGraph of(Random random, int blocks) {
        int[][] ways = new int[blocks][];
        for (int i = 0; i < blocks; i++) {
            int count = random.nextInt(20) == 0 ? 7 : random.nextInt(3);
            ways[i] = new int[count];
            for (int k = 0; k < count; k++) {
                int near = i + 1 + random.nextInt(5) - (random.nextInt(4) == 0 ? 9 : 0);
                ways[i][k] = random.nextInt(15) == 0
                        ? random.nextInt(blocks)
                        : Math.max(0, Math.min(blocks - 1, near));
            }
        }
        return of(ways);
    }
}
