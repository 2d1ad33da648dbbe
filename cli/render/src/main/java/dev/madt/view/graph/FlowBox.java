package dev.madt.view.graph;

import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds what stands in the box of a block: a title and as many of its instructions as leave the
 * picture its shape.
 *
 * @param lines without the title
 */
record FlowBox(String title, List<String> lines) {
    static final double LETTER = 6.7;
    static final double ROW = 14;
    static final double PADDING = 6;
    private static final int MOST_LINES = 14;
    private static final int LAST_LINES = 3;
    private static final int MOST_LETTERS = 58;
    private static final int LEAST_LETTERS = 14;

    static FlowBox of(FlowGraph graph, Node node) {
        List<String> lines = new ArrayList<>();
        List<Line> all = node.lines();
        int cut = all.size() > MOST_LINES ? MOST_LINES - LAST_LINES - 1 : all.size();
        all.subList(0, cut).forEach(line -> lines.add(shortened(line)));
        if (cut < all.size()) {
            lines.add("… " + (all.size() - cut - LAST_LINES) + " more");
            all.subList(all.size() - LAST_LINES, all.size())
                    .forEach(line -> lines.add(shortened(line)));
        }
        return new FlowBox(title(graph, node), lines);
    }

    /** {@code 3 prog.c:12 ×1,024}. */
    static String title(FlowGraph graph, Node node) {
        String source = node.lines().stream()
                .map(Line::source)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("0x" + Long.toHexString(node.start()));
        return node.number() + "  " + source + (graph.traced() ? "  ×" + graph.runs(node) : "");
    }

    private static String shortened(Line line) {
        String text = line.note().isEmpty() ? line.text() : line.text() + " # " + line.note();
        return text.length() <= MOST_LETTERS ? text : text.substring(0, MOST_LETTERS - 1) + "…";
    }

    double width() {
        int letters = Math.max(title.length() + 1, LEAST_LETTERS);
        for (String line : lines) {
            letters = Math.max(letters, line.length());
        }
        return letters * LETTER + 2 * PADDING;
    }

    double height() {
        return (lines.size() + 1) * ROW + 2 * PADDING;
    }
}
