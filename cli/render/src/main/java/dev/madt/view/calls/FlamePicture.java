package dev.madt.view.calls;

import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.XmlText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A flame graph as SVG 1.1: a box for each path, as wide as its part, below the box of its caller.
 * Boxes have titles, which viewers show as tooltips.
 */
final class FlamePicture {
    private static final int WIDTH = 1200;
    private static final int ROW = 17;
    private static final int TOP = 28;
    private static final double LEAST_WIDTH = 0.4;
    private static final double LETTER = 6.7;
    private static final int SHADES = 5;
    private static final int MOST_ROWS = 500;

    private final FlameTree tree;
    private final CallMeasure measure;
    private final int at;
    private final StringBuilder boxes = new StringBuilder();
    private int rows;
    private boolean cut;

    private FlamePicture(FlameTree tree, CallMeasure measure) {
        this.tree = tree;
        this.measure = measure;
        this.at = tree.measures().indexOf(measure);
    }

    static void write(FlameTree tree, CallMeasure measure, String title, OutputStream out)
            throws IOException {
        FlamePicture picture = new FlamePicture(tree, measure);
        long all = tree.start().width()[picture.at];
        if (all > 0) {
            picture.callees(tree.start(), 0, (double) WIDTH / all, 0);
        }
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
                        + " height=\"%2$d\" font-family=\"monospace\" font-size=\"11\">%n",
                WIDTH,
                TOP + ROW * (picture.rows + 1));
        String style = "<style>svg{background:#fff}rect{stroke:#fff;stroke-width:.5}text{fill:"
                + "#1f2328}.a{fill:#fbd0a6}.b{fill:#f8c391}.c{fill:#f5b67c}.d{fill:#f2a967}"
                + ".e{fill:#ee9c52}.u{fill:#e3e6ea}.v{fill:#f7c4bd}.w{fill:#ee8f84}"
                + ".x{fill:#c5daf5}.y{fill:#8db6ea}"
                + "@media(prefers-color-scheme:dark){svg{background:#14171b}"
                + "rect{stroke:#14171b}text{fill:#f1f3f5}.a{fill:#7a4315}.b{fill:#864a17}"
                + ".c{fill:#925119}.d{fill:#9e581b}.e{fill:#aa5f1d}"
                + ".u{fill:#3a4149}.v{fill:#6d3530}.w{fill:#a3392e}.x{fill:#2d4666}.y{fill:#2f62a3}"
                + "}</style>\n";
        String caption = "<text x=\"4\" y=\"16\">"
                + XmlText.escaped(title + ": " + picture.sums() + picture.leftOut())
                + "</text>\n";
        out.write((head + style + caption + picture.boxes + "</svg>\n")
                .getBytes(StandardCharsets.UTF_8));
    }

    private String sums() {
        String now = text(tree.start().all()[at]);
        return tree.isCompared()
                ? now + ", before " + text(tree.start().before()[at])
                        + "; red: more than before, blue: less"
                : now + ", a box for each call path, as wide as its part";
    }

    private String leftOut() {
        return cut ? "; without what is more than " + MOST_ROWS + " calls deep" : "";
    }

    private String text(long count) {
        return measure.isTime()
                ? new Table.Time(count).text()
                : String.format(Locale.ROOT, "%,d %s", count, measure.unit());
    }

    /** Draws what a path calls, from its left end on. */
    private void callees(FlameTree.Node caller, double from, double scale, int depth) {
        double left = from;
        for (FlameTree.Node node : tree.callees(caller, measure)) {
            double width = node.width()[at] * scale;
            if (width < LEAST_WIDTH) {
                return; // as all that follow
            }
            if (depth == MOST_ROWS) {
                cut = true;
                return;
            }
            box(node, left, width, depth);
            callees(node, left, scale, depth + 1);
            left += width;
        }
    }

    private String described(FlameTree.Node node) {
        String what = node.path().last() + " "
                + node.path().function().module() + ": "
                + text(node.all()[at]);
        String self = ", itself " + text(measure.of(node.path()));
        return tree.isCompared()
                ? what + self + "; before " + text(node.before()[at]) + ", itself "
                        + text(measure.of(node.path().cost(true)))
                : String.format(
                        Locale.ROOT,
                        "%s (%.1f %%)%s, %,d calls",
                        what,
                        100.0 * node.all()[at] / tree.start().all()[at],
                        self,
                        node.path().calls());
    }

    private void box(FlameTree.Node node, double left, double width, int depth) {
        rows = Math.max(rows, depth + 1);
        String name = node.path().last();
        int y = TOP + ROW * depth;
        boxes.append(String.format(
                Locale.ROOT,
                "<rect class=\"%c\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s"
                        + "</title></rect>%n",
                tree.isCompared()
                        ? Growth.of(node.all()[at], node.before()[at]).letter()
                        : (char) ('a' + Math.floorMod(name.hashCode(), SHADES)),
                left,
                y,
                width,
                ROW - 1,
                XmlText.escaped(described(node))));
        int letters = (int) (width / LETTER) - 1;
        if (letters >= 3) {
            String shown = name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
            boxes.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" pointer-events=\"none\">%s</text>%n",
                    left + 3,
                    y + 12,
                    XmlText.escaped(shown)));
        }
    }
}
