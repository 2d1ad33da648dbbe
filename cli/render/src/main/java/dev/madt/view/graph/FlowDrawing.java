package dev.madt.view.graph;

import dev.madt.trace.code.EdgeKind;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import dev.madt.view.graph.LayeredLayout.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says where the boxes and lines of a graph's picture are. */
final class FlowDrawing {
    /** Says how far a line leaves its box before it turns. */
    private static final double BEND = 0.5;

    private static final double ASIDE = 26;

    /**
     * A line between two boxes. Ways of several kinds between the same ones are one line, of the
     * first of them.
     *
     * @param path as SVG has it
     */
    record Drawn(int from, int to, EdgeKind kind, boolean back, String path) {}

    private final FlowGraph graph;
    private final FlowLoops loops;
    private final List<FlowBox> boxes = new ArrayList<>();
    private final List<LayeredLayout.Edge> edges = new ArrayList<>();
    private final List<EdgeKind> kinds = new ArrayList<>();
    private final List<Drawn> own = new ArrayList<>();
    private final LayeredLayout layout;

    FlowDrawing(FlowGraph graph) {
        this.graph = graph;
        loops = new FlowLoops(graph);
        Map<Long, EdgeKind> ways = new LinkedHashMap<>();
        for (Node node : graph.nodes()) {
            boxes.add(FlowBox.of(graph, node));
            for (Way way : node.ways()) {
                if (way.to() >= 0) {
                    ways.putIfAbsent((long) node.number() << Integer.SIZE | way.to(), way.kind());
                }
            }
        }
        ways.forEach((way, kind) -> {
            int from = (int) (way >>> Integer.SIZE);
            int to = (int) (long) way;
            if (from != to) {
                edges.add(new LayeredLayout.Edge(from, to, loops.retreats(from, to)));
                kinds.add(kind);
            }
        });
        layout = new LayeredLayout(
                boxes.stream()
                        .map(box -> new double[] {box.width(), box.height()})
                        .toList(),
                edges);
        ways.forEach((way, kind) -> {
            if ((int) (way >>> Integer.SIZE) == (int) (long) way) {
                own.add(ownWay((int) (long) way, kind));
            }
        });
    }

    /** A block that goes round by itself. */
    private Drawn ownWay(int node, EdgeKind kind) {
        Point corner = layout.corner(node);
        double right = corner.x() + boxes.get(node).width();
        double bottom = corner.y() + boxes.get(node).height();
        String path = String.format(
                Locale.ROOT,
                "M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f",
                right,
                bottom - 10,
                right + ASIDE,
                bottom - 4,
                right + ASIDE,
                corner.y() + 4,
                right,
                corner.y() + 10);
        return new Drawn(node, node, kind, true, path);
    }

    FlowBox box(int node) {
        return boxes.get(node);
    }

    Point corner(int node) {
        return layout.corner(node);
    }

    FlowLoops loops() {
        return loops;
    }

    double width() {
        return layout.width() + ASIDE;
    }

    double height() {
        return layout.height();
    }

    List<Drawn> lines() {
        List<Drawn> lines = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            LayeredLayout.Edge edge = edges.get(i);
            lines.add(new Drawn(
                    edge.from(),
                    edge.to(),
                    kinds.get(i),
                    loops.isBack(edge.from(), edge.to()),
                    path(layout.points(i))));
        }
        lines.addAll(own);
        return lines;
    }

    /** Curves between layers, straight lines along them. */
    private static String path(List<Point> points) {
        StringBuilder path = new StringBuilder(String.format(
                Locale.ROOT, "M%.0f %.0f", points.get(0).x(), points.get(0).y()));
        for (int i = 1; i < points.size(); i++) {
            Point from = points.get(i - 1);
            Point to = points.get(i);
            double half = (to.y() - from.y()) * BEND;
            path.append(
                    Math.abs(to.x() - from.x()) < 1
                            ? String.format(Locale.ROOT, "L%.0f %.0f", to.x(), to.y())
                            : String.format(
                                    Locale.ROOT,
                                    "C%.0f %.0f %.0f %.0f %.0f %.0f",
                                    from.x(),
                                    from.y() + half,
                                    to.x(),
                                    to.y() - half,
                                    to.x(),
                                    to.y()));
        }
        return path.toString();
    }

    FlowGraph graph() {
        return graph;
    }
}
