package dev.madt.view.graph;

import dev.madt.view.graph.FlowGraph.Node;
import java.util.Locale;

/** Says how strong the colour of a block is: its count, on a scale of logarithms. */
final class FlowShade {
    private final double most;

    FlowShade(FlowGraph graph) {
        most = Math.log1p(graph.nodes().stream().mapToLong(Node::count).max().orElse(0));
    }

    /** From 0 to 1; 0 for blocks that did not run, or of which nobody knows. */
    double part(Node node) {
        return node.count() <= 0 || most == 0 ? 0 : Math.log1p(node.count()) / most;
    }

    /** A colour on white. */
    String light(Node node) {
        double part = part(node);
        return String.format(
                Locale.ROOT,
                "#%02x%02x%02x",
                (int) (255 - part * 5),
                (int) (255 - part * 105),
                (int) (255 - part * 195));
    }
}
