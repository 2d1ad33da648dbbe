package dev.madt.view.graph;

import dev.madt.trace.code.InstrumentReason;
import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import dev.madt.view.graph.LayeredLayout.Point;
import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A graph as a page for a browser, which needs no network: {@code graph.html} with data. */
final class FlowPage {
    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            FlowPage.class,
            "graph.html",
            List.of("graph.css", "drawing.js", "panel.js", "control.js"));

    private FlowPage() {}

    static void write(FlowGraph graph, OutputStream out) throws IOException {
        FlowDrawing drawing = new FlowDrawing(graph);
        FlowShade shade = new FlowShade(graph);
        int[] heads = drawing.loops().heads();
        TEMPLATE.write(out, text -> {
            text.text("{\"title\":").text(JsonText.quoted(graph.function()));
            text.text(",\"module\":").text(JsonText.quoted(graph.module()));
            text.text(",\"facts\":").text(JsonText.quoted(graph.facts()));
            text.text(",\"traced\":" + graph.traced());
            text.text(String.format(
                    Locale.ROOT,
                    ",\"width\":%.0f,\"height\":%.0f,\n\"lines\":[",
                    drawing.width(),
                    drawing.height()));
            text.text(drawing.lines().stream()
                    .map(FlowPage::line)
                    .collect(Collectors.joining(",\n")));
            text.text("],\n\"blocks\":[");
            for (Node node : graph.nodes()) {
                text.text(node.number() == 0 ? "" : ",\n");
                block(text, drawing, node, shade.part(node), heads[node.number()]);
            }
            text.text("]}");
        });
    }

    private static String line(FlowDrawing.Drawn line) {
        return "{\"from\":" + line.from() + ",\"to\":" + line.to() + ",\"kind\":"
                + JsonText.quoted(line.kind().word()) + ",\"back\":" + line.back() + ",\"path\":"
                + JsonText.quoted(line.path()) + "}";
    }

    private static void block(
            TextBuffer text, FlowDrawing drawing, Node node, double part, int loop) {
        FlowBox box = drawing.box(node.number());
        Point corner = drawing.corner(node.number());
        text.text(String.format(
                Locale.ROOT,
                "{\"n\":%d,\"x\":%.0f,\"y\":%.0f,\"w\":%.0f,\"h\":%.0f,\"part\":%.3f,\"loop\":%d,"
                        + "\"head\":%b,\"start\":%d,\"end\":%d",
                node.number(),
                corner.x(),
                corner.y(),
                box.width(),
                box.height(),
                part,
                loop,
                drawing.loops().isHead(node.number()),
                node.start(),
                node.end()));
        text.text(",\"count\":" + node.count());
        text.text(",\"title\":").text(JsonText.quoted(box.title()));
        text.text(",\"shown\":").text(JsonText.array(box.lines()));
        text.text(",\"front\":").text(said(node.front()));
        text.text(",\"behind\":").text(said(node.behind()));
        text.text(",\"ways\":[")
                .text(node.ways().stream().map(FlowPage::way).collect(Collectors.joining(",")));
        text.text("],\"code\":[")
                .text(node.lines().stream().map(FlowPage::code).collect(Collectors.joining(",")));
        text.text("]}");
    }

    private static String said(InstrumentReason reason) {
        return JsonText.quoted(
                reason == InstrumentReason.POSSIBLE
                        ? reason.word()
                        : reason.word() + ": " + reason.text());
    }

    private static String way(Way way) {
        return "[" + way.to() + "," + JsonText.quoted(way.kind().word()) + ","
                + JsonText.quoted(way.place()) + "]";
    }

    private static String code(Line line) {
        return "[" + line.address() + "," + JsonText.quoted(line.text()) + ","
                + JsonText.quoted(line.note()) + "," + JsonText.quoted(line.source()) + "]";
    }
}
