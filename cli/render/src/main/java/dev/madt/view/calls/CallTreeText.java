package dev.madt.view.calls;

import dev.madt.console.Numbers;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Writes trees of calls: a line for each function, below the one that called it or that it was
 * called by. What is a small part of a tree is left out, and said at the line that it belongs to. A
 * function that is alone below another one stands in the same column, so that chains do not run out
 * of the line.
 */
public final class CallTreeText {
    private static final String BRANCH = "├─ ";
    private static final String LAST = "└─ ";
    private static final String PAST = "│  ";
    private static final String NOTHING = "   ";
    /** Names have that many characters at least: what would be further right is left out. */
    private static final int LEAST_NAME = 24;

    /** Branches begin that far to the right at most, however long lines may be. */
    private static final int MOST_INDENT = 3000;

    private static final int NUMBERS_BETWEEN = 2;

    /** A tree that is asked for, by what it is called. */
    private record Part(String word, String title, CallNode root) {}

    private record Row(CallNode node, long depth) {}

    /**
     * A line that is to be written.
     *
     * @param branch in front of its name
     * @param past in front of what is below it
     */
    private record Line(CallNode node, String branch, String past) {}

    private final CallTree tree;
    private final double least;
    private final List<Part> parts = new ArrayList<>();
    private boolean cut;

    /** @param least the part of a tree that a branch of it must have, 0 to 1 */
    public CallTreeText(CallTree tree, double least) {
        this.tree = tree;
        this.least = least;
    }

    /** Adds everything. */
    public CallTreeText whole() {
        parts.add(new Part("all", null, tree.whole()));
        return this;
    }

    /** Adds who called a function, and what it called. */
    public CallTreeText of(CallFunction function) {
        parts.add(
                new Part("callers", "Callers of " + function.name() + ":", tree.callers(function)));
        parts.add(new Part(
                "callees", "What " + function.name() + " called:", tree.callees(function)));
        return this;
    }

    /** Returns whether branches were left out of what was written. */
    public boolean isCut() {
        return cut;
    }

    /** As one table: a row for each function, behind the one that it is below. */
    public String csv() {
        return CsvTable.render(table());
    }

    public String json(List<String> traces) {
        return JsonTable.render(traces, table());
    }

    private Table table() {
        List<String> headings = new ArrayList<>(List.of("tree", "depth", "share"));
        headings.addAll(numbers());
        headings.addAll(List.of("function", "module"));
        Table table = new Table("tree", headings);
        for (Part part : parts) {
            add(table, part);
        }
        return table;
    }

    private void add(Table table, Part part) {
        Deque<Row> open = new ArrayDeque<>(List.of(new Row(part.root(), 0)));
        while (!open.isEmpty()) {
            Row row = open.pop();
            List<Object> cells = new ArrayList<>();
            cells.add(part.word());
            cells.add(row.depth());
            cells.addAll(cells(part, row.node()));
            cells.add(row.node().name());
            cells.add(row.node().module());
            table.row(cells.toArray());
            List<CallNode> shown = shown(part, row.node());
            for (int i = shown.size() - 1; i >= 0; i--) {
                open.push(new Row(shown.get(i), row.depth() + 1));
            }
        }
    }

    private List<String> numbers() {
        List<String> numbers = new ArrayList<>();
        if (tree.isTimed()) {
            numbers.addAll(List.of("total", "self"));
        }
        numbers.add("calls");
        if (tree.isOfAccesses()) {
            numbers.add("accesses");
        }
        return numbers;
    }

    private List<Object> cells(Part part, CallNode node) {
        List<Object> cells = new ArrayList<>();
        cells.add(new Table.Share(share(part, node.all())));
        if (tree.isTimed()) {
            cells.add(new Table.Time(node.all()));
            cells.add(new Table.Time(node.self()));
        }
        cells.add(node.calls());
        if (tree.isOfAccesses()) {
            cells.add(node.accesses());
        }
        return cells;
    }

    private static double share(Part part, long all) {
        return part.root().all() == 0 ? 0 : (double) all / part.root().all();
    }

    private List<CallNode> shown(Part part, CallNode node) {
        List<CallNode> shown = node.below().stream()
                .filter(below -> least == 0 || share(part, below.all()) >= least)
                .toList();
        cut |= shown.size() < node.below().size();
        return shown;
    }

    /** @param width characters in a line, or {@link TextTable#WIDE} */
    public String text(boolean coloured, int width) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            text.append(text.isEmpty() ? "" : "\n");
            if (part.title() != null) {
                text.append(part.title()).append('\n');
            }
            text.append(new TextTable(coloured, TextTable.WIDE).render(text(part, width)));
        }
        return text.toString();
    }

    /** A tree with lines that lead to its names. */
    private Table text(Part part, int width) {
        List<String> headings = new ArrayList<>(List.of("share"));
        headings.addAll(numbers());
        headings.add("function");
        Table table = new Table("tree", headings);
        int room = width == TextTable.WIDE
                ? Integer.MAX_VALUE
                : Math.max(LEAST_NAME, width - widthOfNumbers(part));
        Deque<Line> open = new ArrayDeque<>(List.of(new Line(part.root(), "", "")));
        while (!open.isEmpty()) {
            List<Line> below = line(table, part, open.pop(), room);
            for (int i = below.size() - 1; i >= 0; i--) {
                open.push(below.get(i));
            }
        }
        return table;
    }

    /** The numbers of the root are the widest, or nearly so. */
    private int widthOfNumbers(Part part) {
        int width = "100.0 %".length() + NUMBERS_BETWEEN;
        if (tree.isTimed()) {
            width += 2 * ("99.9 ms".length() + 1 + NUMBERS_BETWEEN);
        }
        width += widthOf("calls", part.root().calls());
        return width + (tree.isOfAccesses() ? widthOf("accesses", part.root().accesses()) : 0);
    }

    private static int widthOf(String heading, long number) {
        return Math.max(heading.length(), Numbers.grouped(number).length() + 2) + NUMBERS_BETWEEN;
    }

    /** Writes a line; returns those below it. */
    private List<Line> line(Table table, Part part, Line line, int room) {
        CallNode node = line.node();
        String branch = line.branch();
        String past = line.past();
        List<CallNode> shown = shown(part, node);
        int indent = past.length() + BRANCH.length();
        boolean tooDeep = indent > Math.min(room - LEAST_NAME, MOST_INDENT);
        if (tooDeep && shown.size() > 1) {
            cut = true;
            shown = List.of();
        }
        String rest = rest(part, node, shown);
        int left = room - branch.length() - rest.length();
        List<Object> cells = cells(part, node);
        cells.add(branch + TextTable.shortened(node.name(), Math.max(left, LEAST_NAME / 2)) + rest);
        table.row(cells.toArray());
        boolean alone = shown.size() == 1;
        List<Line> below = new ArrayList<>(shown.size());
        for (int i = 0; i < shown.size(); i++) {
            boolean last = i == shown.size() - 1;
            below.add(new Line(
                    shown.get(i),
                    past + (alone ? "" : last ? LAST : BRANCH),
                    past + (alone ? "" : last ? NOTHING : PAST)));
        }
        return below;
    }

    /** Says what is left out below a node. */
    private static String rest(Part part, CallNode node, List<CallNode> shown) {
        int count = node.below().size() - shown.size();
        long all = node.below().stream().mapToLong(CallNode::all).sum()
                - shown.stream().mapToLong(CallNode::all).sum();
        return count == 0
                ? ""
                : "  … " + Numbers.grouped(count) + " more: "
                        + Numbers.percent(100 * share(part, all));
    }
}
