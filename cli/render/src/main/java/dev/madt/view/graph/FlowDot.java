package dev.madt.view.graph;

import dev.madt.trace.code.EdgeKind;
import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;

/** A graph in the language of graphviz. */
final class FlowDot {
    private FlowDot() {}

    static String of(FlowGraph graph) {
        FlowLoops loops = new FlowLoops(graph);
        FlowShade shade = new FlowShade(graph);
        StringBuilder text = new StringBuilder("digraph {\n");
        text.append("\tlabel=")
                .append(quoted(graph.function() + " in " + graph.module()))
                .append(";\n\tnode [shape=box fontname=monospace fontsize=10];\n");
        for (Node node : graph.nodes()) {
            text.append("\tb").append(node.number()).append(" [label=").append(label(graph, node));
            if (node.count() > 0) {
                text.append(" style=filled fillcolor=\"")
                        .append(shade.light(node))
                        .append('"');
            }
            text.append("];\n");
        }
        graph.nodes().forEach(node -> ways(text, node, loops));
        return text.append("}\n").toString();
    }

    /** Lines end on the left. */
    private static String label(FlowGraph graph, Node node) {
        StringBuilder label = new StringBuilder(FlowBox.title(graph, node)).append("\\l");
        for (Line line : node.lines()) {
            label.append(escaped(line.text())).append("\\l");
        }
        return '"' + label.toString() + '"';
    }

    private static void ways(StringBuilder text, Node node, FlowLoops loops) {
        for (Way way : node.ways()) {
            if (way.to() < 0) {
                continue;
            }
            text.append("\tb").append(node.number()).append(" -> b").append(way.to());
            boolean back = loops.isBack(node.number(), way.to());
            text.append(" [")
                    .append(
                            way.kind() == EdgeKind.NEXT
                                    ? ""
                                    : "label=" + way.kind().word() + " ")
                    .append(way.kind() == EdgeKind.PAD ? "style=dashed " : "")
                    .append(back ? "color=\"#c2410c\" constraint=false" : "")
                    .append("];\n");
        }
    }

    private static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
