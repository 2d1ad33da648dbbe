package dev.madt.view.graph;

import dev.madt.trace.code.InstrumentReason;
import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import java.util.ArrayList;
import java.util.List;

/** A graph as text: its blocks with their instructions, and where control goes from each. */
final class FlowText {
    private final FlowGraph graph;
    private final FlowLoops loops;
    private final int[] heads;

    private FlowText(FlowGraph graph) {
        this.graph = graph;
        loops = new FlowLoops(graph);
        heads = loops.heads();
    }

    static String of(FlowGraph graph) {
        return new FlowText(graph).render();
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        text.append(graph.function())
                .append(" in ")
                .append(graph.module())
                .append(": ")
                .append(graph.facts())
                .append('\n');
        graph.nodes().forEach(node -> block(text, node));
        return text.toString();
    }

    private void block(StringBuilder text, Node node) {
        text.append("\nblock ").append(node.number());
        text.append("  0x").append(Long.toHexString(node.start()));
        text.append("-0x").append(Long.toHexString(node.end()));
        if (graph.traced()) {
            text.append("  ran ").append(graph.runs(node));
        }
        if (heads[node.number()] >= 0) {
            text.append("  loop ").append(heads[node.number()]);
            text.append(loops.isHead(node.number()) ? " begins" : "");
        }
        instruments(text, node);
        text.append('\n');
        for (Line line : node.lines()) {
            if (!line.source().isEmpty()) {
                text.append("  ").append(line.source()).append('\n');
            }
            text.append("    0x")
                    .append(Long.toHexString(line.address()))
                    .append("  ")
                    .append(line.text())
                    .append(line.note().isEmpty() ? "" : "  # " + line.note())
                    .append('\n');
        }
        ways(node).forEach(way -> text.append("  -> ").append(way).append('\n'));
    }

    private static void instruments(StringBuilder text, Node node) {
        if (node.front() != InstrumentReason.POSSIBLE) {
            text.append("  in front: ").append(node.front().word());
        }
        if (node.behind() != InstrumentReason.POSSIBLE) {
            text.append("  behind: ").append(node.behind().word());
        }
    }

    private List<String> ways(Node node) {
        List<String> ways = new ArrayList<>();
        for (Way way : node.ways()) {
            String to = way.to() < 0 ? way.place() : "block " + way.to();
            boolean back = way.to() >= 0 && loops.isBack(node.number(), way.to());
            ways.add(way.kind().word() + (to.isEmpty() ? "" : " " + to) + (back ? " (back)" : ""));
        }
        return ways;
    }
}
