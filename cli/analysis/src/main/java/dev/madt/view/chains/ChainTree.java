package dev.madt.view.chains;

import dev.madt.console.Numbers;
import dev.madt.tracker.ForgedName;
import dev.madt.view.CallChain;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Writes allocation sites as trees: below each site the calls that led to it, from the inside out.
 * A caller that is alone stands in the column of what it called, so that chains do not run out of
 * the line. What is a small part of a measure is left out, and said at the line that it belongs to.
 */
public final class ChainTree {
    /** Says by what rows are ordered and left out. */
    public enum Order {
        ACCESSES("accesses", ChainNode::accesses),
        BLOCKS("blocks", ChainNode::blocks),
        BYTES("bytes", ChainNode::bytes),
        ALIVE("alive", ChainNode::aliveBytes),
        TEMPORARY("temporary", ChainNode::temporary),
        PEAK("peak", ChainNode::peakBytes);

        private final String word;
        private final ToLongFunction<ChainNode> measure;

        Order(String word, ToLongFunction<ChainNode> measure) {
            this.word = word;
            this.measure = measure;
        }

        public String word() {
            return word;
        }
    }

    private static final String BRANCH = "├─ ";
    private static final String LAST = "└─ ";
    private static final String PAST = "│  ";
    private static final String NOTHING = "   ";
    private static final int LEAST_NAME = 24;

    private static final List<String> NUMBERS =
            List.of("accesses", "blocks", "bytes", "alive", "temporary", "peak");

    private final List<ChainNode> sites = new ArrayList<>();
    private final Order order;
    private final double least;
    private final long whole;
    private boolean cut;

    /**
     * @param least the part of the whole that a line must have, 0 to 1
     * @param top sites at most; 0: all
     */
    public ChainTree(ChainCounts counts, Order order, double least, int top) {
        this.order = order;
        this.least = least;
        Map<String, ChainNode> byName = new LinkedHashMap<>();
        for (ChainCount count : counts.all()) {
            String name = ForgedName.common(count.kind(), count.shown().siteName());
            byName.computeIfAbsent(
                            name + '\n' + count.shown().module(),
                            absent -> new ChainNode(name, count.shown().ownLine()))
                    .add(count, callersOf(count));
        }
        sites.addAll(byName.values());
        sites.sort(Comparator.comparingLong(order.measure)
                .thenComparingLong(ChainNode::bytes)
                .reversed()
                .thenComparing(ChainNode::name));
        long sum = sites.stream().mapToLong(order.measure).sum();
        whole = order == Order.ACCESSES ? counts.accesses() : sum;
        if (top > 0 && top < sites.size()) {
            cut = true;
            sites.subList(top, sites.size()).clear();
        }
    }

    /** The chain outside of the call that names the site; of one that is unknown nothing. */
    private static CallChain callersOf(ChainCount count) {
        CallChain each = count.chain();
        if (each == null || count.shown() == count.call()) {
            return each == null ? null : each.outer();
        }
        while (each.outer() != null && each.call() != count.shown()) {
            each = each.outer();
        }
        return each.outer();
    }

    /** Returns whether something was left out of what was written. */
    public boolean isCut() {
        return cut;
    }

    /** As one table: a row for each call, behind the one that it led to. */
    public String csv() {
        return CsvTable.render(table());
    }

    public String json(List<String> traces) {
        return JsonTable.render(traces, table());
    }

    private Table table() {
        List<String> headings = new ArrayList<>(List.of("depth", "share"));
        headings.addAll(NUMBERS);
        headings.addAll(List.of("call", "line"));
        Table table = new Table("chains", headings);
        shown(sites).forEach(site -> add(table, site, 0));
        return table;
    }

    private void add(Table table, ChainNode node, long depth) {
        table.row(
                depth,
                share(node),
                node.accesses(),
                node.blocks(),
                node.bytes(),
                node.aliveBytes(),
                node.temporary(),
                node.peakBytes(),
                node.name(),
                node.line().isEmpty() ? null : node.line());
        shown(node.callers(order.measure)).forEach(caller -> add(table, caller, depth + 1));
    }

    private Table.Share share(ChainNode node) {
        return new Table.Share(part(order.measure.applyAsLong(node)));
    }

    private double part(long of) {
        return whole == 0 ? 0 : (double) of / whole;
    }

    private List<ChainNode> shown(List<ChainNode> nodes) {
        List<ChainNode> shown = nodes.stream()
                .filter(node -> least == 0 || part(order.measure.applyAsLong(node)) >= least)
                .toList();
        cut |= shown.size() < nodes.size();
        return shown;
    }

    /** @param width characters in a line, or {@link TextTable#WIDE} */
    public String text(boolean coloured, int width) {
        List<String> numbers = numbers();
        List<String> headings = new ArrayList<>(List.of("share"));
        headings.addAll(numbers);
        headings.add("allocation site, and the calls that led to it");
        Table table = new Table("chains", headings);
        int room = width == TextTable.WIDE
                ? Integer.MAX_VALUE
                : Math.max(LEAST_NAME, width - widthOf(numbers));
        for (ChainNode site : shown(sites)) {
            line(table, site, false, "", "  ", room);
        }
        if (sites.isEmpty()) {
            return "There is no allocation to show.\n";
        }
        return new TextTable(coloured, TextTable.WIDE).render(table);
    }

    /** Returns the numbers that most people ask for, and what the rows are ordered by. */
    private List<String> numbers() {
        List<String> numbers = new ArrayList<>(List.of("accesses", "blocks", "bytes"));
        if (!numbers.contains(order.word)) {
            numbers.set(0, order.word);
        }
        return numbers;
    }

    private int widthOf(List<String> numbers) {
        int width = "100.0 %".length() + 2;
        for (String number : numbers) {
            long most = sites.stream().mapToLong(of(number)).max().orElse(0);
            width += Math.max(number.length(), Numbers.grouped(most).length()) + 2;
        }
        return width;
    }

    private static ToLongFunction<ChainNode> of(String number) {
        for (Order each : Order.values()) {
            if (each.word.equals(number)) {
                return each.measure;
            }
        }
        throw new IllegalArgumentException(number);
    }

    /** @param same whether the numbers are those of the line above, which need not be repeated */
    private void line(
            Table table, ChainNode node, boolean same, String branch, String past, int room) {
        List<ChainNode> all = node.callers(order.measure);
        List<ChainNode> shown = shown(all);
        if (past.length() + BRANCH.length() + LEAST_NAME > room && shown.size() > 1) {
            cut = true;
            shown = List.of();
        }
        String rest = rest(all, shown);
        String line = node.line().isEmpty() ? "" : "  " + node.line();
        int left = room - branch.length() - rest.length() - line.length();
        List<Object> cells = new ArrayList<>();
        cells.add(same ? "" : share(node));
        numbers().forEach(number -> cells.add(same ? "" : (Object) of(number).applyAsLong(node)));
        cells.add(branch
                + TextTable.shortened(node.name(), Math.max(left, LEAST_NAME / 2))
                + line
                + rest);
        table.row(cells.toArray());
        boolean alone = shown.size() == 1;
        for (int i = 0; i < shown.size(); i++) {
            boolean last = i == shown.size() - 1;
            line(
                    table,
                    shown.get(i),
                    all.size() == 1 && node.isAs(shown.get(i)),
                    past + (alone ? "" : last ? LAST : BRANCH),
                    past + (alone ? "" : last ? NOTHING : PAST),
                    room);
        }
    }

    /** Says what is left out below a node. */
    private String rest(List<ChainNode> all, List<ChainNode> shown) {
        int count = all.size() - shown.size();
        long rest = all.stream().mapToLong(order.measure).sum()
                - shown.stream().mapToLong(order.measure).sum();
        return count == 0
                ? ""
                : "  … " + Numbers.grouped(count) + " more: " + Numbers.percent(100 * part(rest));
    }
}
