package dev.madt.view.graph;

import dev.madt.trace.code.EdgeKind;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.LayeredLayout.Point;
import dev.madt.view.toolkit.XmlText;
import java.util.Locale;

/** A graph as SVG 1.1, which viewers show without a browser. */
final class FlowPicture {
    private static final double HEADER = 30;

    private FlowPicture() {}

    static String of(FlowGraph graph) {
        FlowDrawing drawing = new FlowDrawing(graph);
        FlowShade shade = new FlowShade(graph);
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$.0f\" height=\"%2$.0f\""
                        + " viewBox=\"0 0 %1$.0f %2$.0f\" font-family=\"monospace\""
                        + " font-size=\"11\">%n",
                Math.max(drawing.width(), 8 * (graph.function().length() + 40)),
                drawing.height() + HEADER));
        text.append("<style>path{fill:none;stroke:#7a828b}.back{stroke:#c2410c;stroke-width:2}"
                + ".taken{stroke:#2563a8}.table{stroke:#6d3fb0}.pad{stroke-dasharray:4 3}"
                + "text{white-space:pre}</style>\n");
        text.append("<defs>");
        marker(text, "end", "#7a828b");
        marker(text, "up", "#c2410c");
        text.append("</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        text.append("<text x=\"10\" y=\"19\" font-size=\"14\" font-weight=\"bold\">")
                .append(XmlText.escaped(graph.function()))
                .append("<tspan font-weight=\"normal\" font-size=\"12\" fill=\"#636b74\">  ")
                .append(XmlText.escaped(graph.module() + ", " + graph.facts()))
                .append("</tspan></text>\n<g transform=\"translate(0 ")
                .append((int) HEADER)
                .append(")\">\n");
        drawing.lines().forEach(line -> line(text, line));
        graph.nodes().forEach(node -> box(text, drawing, shade, node));
        return text.append("</g>\n</svg>\n").toString();
    }

    private static void marker(StringBuilder text, String name, String colour) {
        text.append("<marker id=\"")
                .append(name)
                .append("\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\""
                        + " markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                        + "<polygon points=\"0,0 8,4 0,8\" fill=\"")
                .append(colour)
                .append("\"/></marker>");
    }

    private static void line(StringBuilder text, FlowDrawing.Drawn line) {
        String kind = line.back()
                ? "back"
                : line.kind() == EdgeKind.TARGET
                        ? "taken"
                        : line.kind() == EdgeKind.CASE
                                ? "table"
                                : line.kind() == EdgeKind.PAD ? "pad" : "fall";
        text.append("<path class=\"")
                .append(kind)
                .append("\" marker-end=\"url(#")
                .append(line.back() ? "up" : "end")
                .append(")\" d=\"")
                .append(line.path())
                .append("\"><title>")
                .append(line.from() + " to " + line.to() + ": " + line.kind().word())
                .append("</title></path>\n");
    }

    private static void box(StringBuilder text, FlowDrawing drawing, FlowShade shade, Node node) {
        FlowBox box = drawing.box(node.number());
        Point corner = drawing.corner(node.number());
        boolean head = drawing.loops().isHead(node.number());
        text.append(String.format(
                Locale.ROOT,
                "<g transform=\"translate(%.0f %.0f)\"><rect width=\"%.0f\" height=\"%.0f\""
                        + " rx=\"3\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%d\"/>",
                corner.x(),
                corner.y(),
                box.width(),
                box.height(),
                shade.light(node),
                head ? "#c2410c" : "#7a828b",
                head ? 2 : 1));
        row(text, 0, box.title(), " font-weight=\"bold\"");
        for (int i = 0; i < box.lines().size(); i++) {
            row(text, i + 1, box.lines().get(i), "");
        }
        text.append("</g>\n");
    }

    private static void row(StringBuilder text, int row, String content, String style) {
        text.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%.0f\" y=\"%.0f\"%s>",
                        FlowBox.PADDING,
                        FlowBox.PADDING + (row + 1) * FlowBox.ROW - 3,
                        style))
                .append(XmlText.escaped(content))
                .append("</text>");
    }
}
