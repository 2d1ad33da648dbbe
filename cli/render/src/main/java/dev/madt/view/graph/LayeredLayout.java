package dev.madt.view.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Places the boxes of a graph in layers (Sugiyama, Tagawa, Toda: Methods for Visual Understanding
 * of Hierarchical System Structures, 1981): edges lead downwards, those that lead back upwards; an
 * edge over several layers bends in each of them. The order within layers is that of the mean of
 * the neighbours; positions are the closest to the neighbours' that leave each box its room, which
 * is a monotone regression of each layer.
 */
final class LayeredLayout {
    private static final int SWEEPS = 12;
    private static final int PLACINGS = 10;
    /** Says how much an edge's bends stay in line, beside boxes. */
    private static final double STRAIGHT = 4;

    private static final double BETWEEN = 24;
    private static final double BETWEEN_BENDS = 10;
    private static final double BETWEEN_LAYERS = 34;
    private static final double MOST_BETWEEN = 160;

    /** A box of a layer, or a bend of an edge, which has no size. */
    private static final class Spot {
        final double width;
        final double height;
        int layer;
        int order;
        double x;
        final List<Spot> above = new ArrayList<>();
        final List<Spot> below = new ArrayList<>();

        Spot(double width, double height, int layer) {
            this.width = width;
            this.height = height;
            this.layer = layer;
        }

        boolean isBend() {
            return height == 0;
        }
    }

    /**
     * An edge.
     *
     * @param up whether it leads back
     */
    record Edge(int from, int to, boolean up) {}

    /** A point. */
    record Point(double x, double y) {}

    private final List<Spot> boxes = new ArrayList<>();
    private final List<Edge> edges;
    private final List<List<Spot>> layers = new ArrayList<>();
    private final List<List<Spot>> chains = new ArrayList<>();
    private final double[] tops;
    private double width;

    /**
     * @param sizes width and height of each box
     * @param edges without those from a box to itself
     */
    LayeredLayout(List<double[]> sizes, List<Edge> edges) {
        this.edges = edges;
        int[] layer = layersOf(sizes.size());
        for (int i = 0; i < sizes.size(); i++) {
            boxes.add(new Spot(sizes.get(i)[0], sizes.get(i)[1], layer[i]));
        }
        boxes.forEach(this::put);
        edges.forEach(this::bend);
        order();
        place();
        tops = new double[layers.size() + 1];
        stack();
    }

    /** Takes the longest way from above; what nothing leads to stands close to where it leads. */
    private int[] layersOf(int count) {
        List<List<Integer>> next = new ArrayList<>();
        int[] open = new int[count];
        for (int i = 0; i < count; i++) {
            next.add(new ArrayList<>());
        }
        for (Edge edge : edges) {
            int from = edge.up() ? edge.to() : edge.from();
            int to = edge.up() ? edge.from() : edge.to();
            next.get(from).add(to);
            open[to]++;
        }
        boolean[] root = new boolean[count];
        List<Integer> ready = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            root[i] = open[i] == 0;
            if (root[i]) {
                ready.add(i);
            }
        }
        int[] layer = new int[count];
        for (int i = 0; i < ready.size(); i++) {
            for (int to : next.get(ready.get(i))) {
                layer[to] = Math.max(layer[to], layer[ready.get(i)] + 1);
                if (--open[to] == 0) {
                    ready.add(to);
                }
            }
        }
        for (int i = 1; i < count; i++) {
            if (root[i] && !next.get(i).isEmpty()) {
                layer[i] = Math.max(
                        0, next.get(i).stream().mapToInt(to -> layer[to]).min().orElse(1) - 1);
            }
        }
        return layer;
    }

    private void put(Spot spot) {
        while (layers.size() <= spot.layer) {
            layers.add(new ArrayList<>());
        }
        spot.order = layers.get(spot.layer).size();
        layers.get(spot.layer).add(spot);
    }

    private void bend(Edge edge) {
        Spot from = boxes.get(edge.up() ? edge.to() : edge.from());
        Spot to = boxes.get(edge.up() ? edge.from() : edge.to());
        List<Spot> chain = new ArrayList<>(List.of(from));
        for (int layer = from.layer + 1; layer < to.layer; layer++) {
            Spot bend = new Spot(0, 0, layer);
            put(bend);
            chain.add(bend);
        }
        chain.add(to);
        for (int i = 1; i < chain.size(); i++) {
            chain.get(i - 1).below.add(chain.get(i));
            chain.get(i).above.add(chain.get(i - 1));
        }
        chains.add(chain);
    }

    /* ------------------------------------------------------------ the order within layers */

    private void order() {
        long least = crossings();
        List<List<Spot>> best = copy();
        for (int sweep = 0; sweep < SWEEPS && least > 0; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < layers.size(); i++) {
                sort(layers.get(down ? i : layers.size() - 1 - i), down);
            }
            long now = crossings();
            if (now < least) {
                least = now;
                best = copy();
            }
        }
        for (int i = 0; i < layers.size(); i++) {
            layers.set(i, best.get(i));
            number(best.get(i));
        }
    }

    private static void sort(List<Spot> layer, boolean down) {
        double[] mean = new double[layer.size()];
        for (Spot spot : layer) {
            List<Spot> others = down ? spot.above : spot.below;
            mean[spot.order] =
                    others.stream().mapToInt(other -> other.order).average().orElse(spot.order);
        }
        layer.sort(Comparator.comparingDouble(spot -> mean[spot.order]));
        number(layer);
    }

    private static void number(List<Spot> layer) {
        for (int i = 0; i < layer.size(); i++) {
            layer.get(i).order = i;
        }
    }

    private List<List<Spot>> copy() {
        List<List<Spot>> copies = new ArrayList<>();
        layers.forEach(layer -> copies.add(new ArrayList<>(layer)));
        return copies;
    }

    private long crossings() {
        long sum = 0;
        for (int i = 0; i + 1 < layers.size(); i++) {
            sum += crossings(layers.get(i), layers.get(i + 1).size());
        }
        return sum;
    }

    /** Counts pairs of edges between two layers that cross, by a tree of counts (Fenwick). */
    private static long crossings(List<Spot> upper, int lower) {
        int[] tree = new int[lower + 1];
        long sum = 0;
        int all = 0;
        for (Spot spot : upper) {
            int[] ends =
                    spot.below.stream().mapToInt(below -> below.order).sorted().toArray();
            for (int end : ends) {
                int before = 0;
                for (int at = end + 1; at > 0; at -= at & -at) {
                    before += tree[at];
                }
                sum += all - before;
            }
            for (int end : ends) {
                for (int at = end + 1; at <= lower; at += at & -at) {
                    tree[at]++;
                }
                all++;
            }
        }
        return sum;
    }

    /* ------------------------------------------------------------ positions */

    private void place() {
        for (List<Spot> layer : layers) {
            double x = 0;
            for (int i = 0; i < layer.size(); i++) {
                x += i == 0 ? 0 : distance(layer.get(i - 1), layer.get(i));
                layer.get(i).x = x;
            }
        }
        for (int round = 0; round < PLACINGS; round++) {
            boolean down = round % 2 == 0;
            for (int i = 0; i < layers.size(); i++) {
                settle(layers.get(down ? i : layers.size() - 1 - i), round);
            }
        }
        double least = Double.MAX_VALUE;
        for (List<Spot> layer : layers) {
            for (Spot spot : layer) {
                least = Math.min(least, spot.x - spot.width / 2);
            }
        }
        for (List<Spot> layer : layers) {
            for (Spot spot : layer) {
                spot.x += BETWEEN - least;
                width = Math.max(width, spot.x + spot.width / 2 + BETWEEN);
            }
        }
    }

    private static double distance(Spot left, Spot right) {
        double between = left.isBend() && right.isBend() ? BETWEEN_BENDS : BETWEEN;
        return (left.width + right.width) / 2 + between;
    }

    /** Returns where the neighbours want a spot: those above in the first rounds, then all. */
    private static double wanted(Spot spot, int round) {
        double sum = 0;
        double weights = 0;
        for (List<Spot> others : List.of(spot.above, spot.below)) {
            if (others == spot.below && round == 0) {
                continue;
            }
            for (Spot other : others) {
                double weight = spot.isBend() && other.isBend() ? STRAIGHT : 1;
                sum += weight * other.x;
                weights += weight;
            }
        }
        return weights == 0 ? spot.x : sum / weights;
    }

    /**
     * Moves the spots of a layer as close to where they are wanted as their order and sizes
     * permit: least squares, by pooling neighbours that would overlap.
     */
    private static void settle(List<Spot> layer, int round) {
        int count = layer.size();
        double[] offset = new double[count];
        double[] sum = new double[count];
        double[] weight = new double[count];
        int[] size = new int[count];
        int groups = 0;
        for (int i = 0; i < count; i++) {
            Spot spot = layer.get(i);
            offset[i] = i == 0 ? 0 : offset[i - 1] + distance(layer.get(i - 1), spot);
            double own = spot.isBend() ? 2 : 1;
            sum[groups] = own * (wanted(spot, round) - offset[i]);
            weight[groups] = own;
            size[groups++] = 1;
            while (groups > 1
                    && sum[groups - 2] / weight[groups - 2]
                            >= sum[groups - 1] / weight[groups - 1]) {
                groups--;
                sum[groups - 1] += sum[groups];
                weight[groups - 1] += weight[groups];
                size[groups - 1] += size[groups];
            }
        }
        for (int group = 0, i = 0; group < groups; group++) {
            for (int left = size[group]; left > 0; left--, i++) {
                layer.get(i).x = sum[group] / weight[group] + offset[i];
            }
        }
    }

    /** Gives each layer its height; where many edges go far to the side there is more between. */
    private void stack() {
        double y = BETWEEN;
        for (int i = 0; i < layers.size(); i++) {
            tops[i] = y;
            double height = 0;
            double aside = 0;
            for (Spot spot : layers.get(i)) {
                height = Math.max(height, spot.height);
                for (Spot below : spot.below) {
                    aside += Math.abs(below.x - spot.x);
                }
            }
            y += height + Math.min(MOST_BETWEEN, BETWEEN_LAYERS + Math.sqrt(aside));
        }
        tops[layers.size()] = y;
    }

    /* ------------------------------------------------------------ the result */

    double width() {
        return width;
    }

    double height() {
        return tops[layers.size()];
    }

    /** Returns the left upper corner of a box. */
    Point corner(int box) {
        Spot spot = boxes.get(box);
        return new Point(spot.x - spot.width / 2, tops[spot.layer]);
    }

    /** Returns the points that an edge goes through, from where it begins. */
    List<Point> points(int edge) {
        List<Spot> chain = chains.get(edge);
        List<Point> points = new ArrayList<>();
        int last = chain.size() - 1;
        for (int i = 0; i <= last; i++) {
            Spot spot = chain.get(i);
            double top = tops[spot.layer];
            if (i == 0) {
                points.add(new Point(
                        spot.x + port(spot, chain.get(1), spot.below), top + spot.height));
            } else if (i == last) {
                points.add(new Point(spot.x + port(spot, chain.get(i - 1), spot.above), top));
            } else {
                points.add(new Point(spot.x, top));
                points.add(new Point(spot.x, top + tallest(spot.layer)));
            }
        }
        if (edges.get(edge).up()) {
            Collections.reverse(points);
        }
        return points;
    }

    private double tallest(int layer) {
        return layers.get(layer).stream().mapToDouble(spot -> spot.height).max().orElse(0);
    }

    /** Returns where on a box's side an edge begins: they are spread in the order of their ends. */
    private static double port(Spot box, Spot other, List<Spot> all) {
        List<Spot> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingInt(spot -> spot.order));
        int count = sorted.size();
        double room = Math.min(box.width * 0.8, 16.0 * (count - 1));
        return count < 2 ? 0 : room * sorted.indexOf(other) / (count - 1) - room / 2;
    }
}
