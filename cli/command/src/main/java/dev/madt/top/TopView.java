package dev.madt.top;

import dev.madt.console.Numbers;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import dev.madt.view.top.TopKind;
import dev.madt.view.top.TopSums;
import dev.madt.view.top.TopTable;
import java.util.Locale;

/**
 * Says what a live screen shows: which rows, in which order, from which moment on. Keys change it,
 * and new sums unless it is frozen.
 */
public final class TopView {
    private static final String INVERSE = "\033[7m";
    private static final String OFF = "\033[0m";
    private static final String NAME = "madt top: ";
    private static final int LEAST_TITLE = 12;
    private static final double SECOND = 1e9;
    /** Lines besides those of rows: two above, headings, what is hidden, total, and keys. */
    private static final int OTHER_LINES = 6;

    private static final String KEYS =
            "1-4, Tab: what is shown   s: sort   space: freeze   r: reset   q: quit";

    private final String title;
    private final long begun;
    private TopKind kind;
    private TopTable.Order order = TopTable.Order.TOTAL;
    private boolean frozen;
    private TopSums zero;
    private TopSums before;
    private TopSums now;
    /** Holds what came while the screen was frozen. */
    private TopSums latest;

    private String remark = "";

    /**
     * Shows nothing so far.
     *
     * @param title what is counted
     * @param nanos now, of System.nanoTime
     */
    public TopView(String title, TopKind kind, long nanos) {
        this.title = title;
        this.kind = kind;
        this.begun = nanos;
        this.zero = TopSums.none(nanos);
        this.before = zero;
        this.now = zero;
        this.latest = zero;
    }

    /** Takes what has been counted by now. */
    public void take(TopSums sums) {
        if (!frozen) {
            before = latest;
            now = sums;
        }
        latest = sums;
    }

    /** Takes the last sums: they are shown, frozen or not, with the rates of all the time. */
    public void end(TopSums sums) {
        now = sums;
        latest = sums;
        before = zero;
        frozen = false;
        remark = "";
    }

    /** Says something beside the title; empty: nothing. */
    public void remark(String text) {
        remark = text;
    }

    /** A key was typed. Returns whether that changes what is shown. */
    public boolean key(int key) {
        switch (key) {
            case '1', '2', '3', '4' -> kind = TopKind.values()[key - '1'];
            case '\t' -> turn(1);
            case ' ' -> frozen = !frozen;
            case 's' -> order = order.next();
            case 'r' -> {
                zero = latest;
                now = latest;
                before = latest;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Goes to the rows behind those that are shown, or before them. */
    public void turn(int by) {
        int all = TopKind.values().length;
        kind = TopKind.values()[Math.floorMod(kind.ordinal() + by, all)];
    }

    /** The screen of a terminal; its lines are no longer and no more than that has room for. */
    public String screen(int columns, int rows, boolean coloured, boolean blocks) {
        int room = Math.max(1, rows - OTHER_LINES);
        StringBuilder screen = new StringBuilder();
        screen.append(cut(heading(columns), columns)).append('\n');
        screen.append(tabs(columns, coloured)).append('\n');
        TextTable text = new TextTable(coloured, columns).bars(blocks);
        String table = text.render(table(room));
        screen.append(table);
        int lines = 2 + (int) table.lines().count();
        for (; lines < rows - 1; lines++) {
            screen.append('\n');
        }
        return screen.append(cut(KEYS, columns)).toString();
    }

    /** A table for what is no terminal, with a line that says of when it is. */
    public String text(int columns, int most, boolean coloured, boolean blocks) {
        return heading(columns)
                + '\n'
                + new TextTable(coloured, columns).bars(blocks).render(table(most));
    }

    private Table table(int most) {
        return current().of(kind, order, most);
    }

    private TopTable current() {
        return new TopTable(zero, before, now);
    }

    /** Returns a line whose title has the room that is left. */
    private String heading(int columns) {
        String rest = counts();
        int room = Math.max(LEAST_TITLE, columns - NAME.length() - rest.length());
        return NAME + TextTable.shortened(title, room) + rest;
    }

    private String counts() {
        TopTable table = current();
        return String.format(Locale.ROOT, "   %.1f s   ", (now.nanos() - begun) / SECOND)
                + Numbers.counted(table.accesses(), "access", "accesses")
                + "   " + Numbers.grouped(table.rate()) + " a second"
                + (now.processes() > 1 ? "   " + now.processes() + " processes" : "")
                + (now.sampled() && kind == TopKind.DATA ? "   by samples" : "")
                + (frozen ? "   frozen" : "")
                + (remark.isEmpty() ? "" : "   " + remark);
    }

    private String tabs(int columns, boolean coloured) {
        StringBuilder tabs = new StringBuilder();
        int length = 0;
        for (TopKind each : TopKind.values()) {
            String tab = each == kind && !coloured
                    ? "[" + (each.ordinal() + 1) + " " + each.title() + "]"
                    : " " + (each.ordinal() + 1) + " " + each.title() + " ";
            length += tab.length();
            if (length <= columns) {
                tabs.append(each == kind && coloured ? INVERSE + tab + OFF : tab);
            }
        }
        String sorted = "  by " + order.words();
        return length + sorted.length() <= columns
                ? tabs.append(sorted).toString()
                : tabs.toString();
    }

    private static String cut(String text, int columns) {
        return text.length() <= columns ? text : text.substring(0, Math.max(0, columns));
    }
}
