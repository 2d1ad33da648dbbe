package dev.madt.view.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.graph.LayeredLayout.Edge;
import dev.madt.view.graph.LayeredLayout.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LayeredLayoutTest {
    private static final double CLOSE = 0.01;

    private record Case(List<double[]> sizes, List<Edge> edges, LayeredLayout layout) {
        static Case of(long seed, int blocks) {
            Random random = new Random(seed);
            FlowGraph graph = RandomGraph.of(random, blocks);
            FlowLoops loops = new FlowLoops(graph);
            List<double[]> sizes = new ArrayList<>();
            List<Edge> edges = new ArrayList<>();
            TreeSet<String> known = new TreeSet<>();
            graph.nodes().forEach(node -> {
                sizes.add(new double[] {40 + random.nextInt(200), 20 + random.nextInt(150)});
                node.ways().stream()
                        .filter(way -> way.to() != node.number())
                        .filter(way -> known.add(node.number() + " " + way.to()))
                        .forEach(way -> edges.add(new Edge(
                                node.number(), way.to(), loops.retreats(node.number(), way.to()))));
            });
            return new Case(sizes, edges, new LayeredLayout(sizes, edges));
        }

        double bottom(int box) {
            return layout.corner(box).y() + sizes.get(box)[1];
        }

        boolean covers(int box, double x, double y) {
            Point corner = layout.corner(box);
            return x >= corner.x() - CLOSE
                    && x <= corner.x() + sizes.get(box)[0] + CLOSE
                    && Math.abs(y - (y < corner.y() + 1 ? corner.y() : bottom(box))) < CLOSE;
        }
    }

    @Test
    void shouldKeepBoxesApartAndWithin() {
        for (int seed = 1; seed <= 60; seed++) {
            Case drawn = Case.of(seed, 2 + 5 * seed);
            int count = drawn.sizes().size();
            for (int i = 0; i < count; i++) {
                Point a = drawn.layout().corner(i);
                assertTrue(a.x() >= 0 && a.y() >= 0);
                assertTrue(a.x() + drawn.sizes().get(i)[0] <= drawn.layout().width() + CLOSE);
                assertTrue(drawn.bottom(i) <= drawn.layout().height() + CLOSE);
                for (int k = 0; k < i; k++) {
                    Point b = drawn.layout().corner(k);
                    boolean aside = a.x() + drawn.sizes().get(i)[0] <= b.x()
                            || b.x() + drawn.sizes().get(k)[0] <= a.x();
                    boolean above = drawn.bottom(i) <= b.y() || drawn.bottom(k) <= a.y();
                    assertTrue(aside || above, "seed " + seed + ": " + i + " over " + k);
                }
            }
        }
    }

    @Test
    void shouldLeadDownwardsButForWaysBack() {
        for (int seed = 1; seed <= 60; seed++) {
            Case drawn = Case.of(seed, 2 + 5 * seed);
            for (int i = 0; i < drawn.edges().size(); i++) {
                Edge edge = drawn.edges().get(i);
                List<Point> points = drawn.layout().points(i);
                Point first = points.get(0);
                Point last = points.get(points.size() - 1);
                assertTrue(drawn.covers(edge.from(), first.x(), first.y()), "seed " + seed);
                assertTrue(drawn.covers(edge.to(), last.x(), last.y()), "seed " + seed);
                for (int k = 1; k < points.size(); k++) {
                    double way = points.get(k).y() - points.get(k - 1).y();
                    assertTrue(edge.up() ? way <= 0 : way >= 0, "seed " + seed);
                }
            }
        }
    }

    /** Lines pass boxes, and do not go through them. */
    @Test
    void shouldBendRoundBoxes() {
        Case drawn = Case.of(7, 90);
        for (int i = 0; i < drawn.edges().size(); i++) {
            List<Point> points = drawn.layout().points(i);
            for (Point point : points.subList(1, points.size() - 1)) {
                for (int box = 0; box < drawn.sizes().size(); box++) {
                    Point corner = drawn.layout().corner(box);
                    boolean within = point.x() > corner.x()
                            && point.x() < corner.x() + drawn.sizes().get(box)[0]
                            && point.y() > corner.y()
                            && point.y() < drawn.bottom(box);
                    assertTrue(!within, i + " goes through " + box);
                }
            }
        }
    }

    @Test
    void shouldDrawTheSameTwice() {
        for (int box = 0; box < 40; box++) {
            assertEquals(
                    Case.of(3, 40).layout().corner(box), Case.of(3, 40).layout().corner(box));
        }
    }

    /** A chain is a straight line, and its boxes stand below each other. */
    @Test
    void shouldStackAChain() {
        List<double[]> sizes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sizes.add(new double[] {100, 30});
            if (i > 0) {
                edges.add(new Edge(i - 1, i, false));
            }
        }
        LayeredLayout layout = new LayeredLayout(sizes, edges);
        for (int i = 1; i < sizes.size(); i++) {
            assertEquals(layout.corner(i - 1).x(), layout.corner(i).x(), CLOSE);
            assertTrue(layout.corner(i - 1).y() + 30 < layout.corner(i).y());
        }
    }
}
