package dev.madt.view.toolkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A chart of two or three columns, as SVG: bars or lines of one or more series, or a grid of cells
 * whose shade is a number. Each mark says what it is when the pointer rests on it.
 */
public final class Chart {
    /** Kinds of charts. */
    public enum Kind {
        BAR,
        LINE,
        HEAT
    }

    static final int WIDTH = 860;
    private static final int HEIGHT = 380;
    private static final int LEFT = 92;
    private static final int RIGHT = 18;
    private static final int TOP = 40;
    private static final int BOTTOM = 56;
    /** Room for the letters of a name below or beside an axis. */
    private static final int NAMES = 120;

    private static final int LETTERS = 18;
    /** Marks that can be pointed at, in a line. */
    private static final int MOST_MARKS = 400;
    /** Series have colours of their own up to this number. */
    static final int SERIES = 6;

    static final String STYLE = "text{fill:#1f2328}.grid{stroke:#dde1e6}.line{fill:none;"
            + "stroke-width:1.8}.dot{opacity:0}.dot:hover,.dot:focus{opacity:1}"
            + ".s0{--c:#3f78bd}.s1{--c:#d0672b}.s2{--c:#3d8a4e}.s3{--c:#a14fa8}"
            + ".s4{--c:#9a7b16}.s5{--c:#5b6570}"
            + ".bar,.dot{fill:var(--c)}.line{stroke:var(--c)}"
            + "@media(prefers-color-scheme:dark){text{fill:#e3e6ea}.grid{stroke:#343a42}}";

    /** A mark: a bar from {@code x} to {@code end}, a point, or a cell. */
    private record Mark(double x, double end, double y, double weight, String tip) {}

    private final Kind kind;
    private final String title;
    private final ChartAxis x;
    private final ChartAxis y;
    private final Map<String, List<Mark>> series = new LinkedHashMap<>();
    /** Series that are lines among bars. */
    private final Set<String> curves = new HashSet<>();

    private final StringBuilder out = new StringBuilder();
    private double least;
    private double most;
    private double highest;

    public Chart(Kind kind, String title, ChartAxis x, ChartAxis y) {
        this.kind = kind;
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a point of a line, or a bar at one place. */
    public Chart point(String of, double at, double value) {
        return mark(of, new Mark(at, at, value, 0, x.text(at) + ": " + y.text(value)));
    }

    /** Adds a bar between two places. */
    public Chart bar(String of, double from, double to, double value, String name) {
        return mark(of, new Mark(from, to, value, 0, name + ": " + y.text(value)));
    }

    /** Adds a point of a line that is drawn over bars. */
    public Chart curve(String of, double at, double value) {
        curves.add(of);
        return point(of, at, value);
    }

    /** Adds a cell of a grid. */
    public Chart cell(double at, double above, double weight) {
        String tip =
                x.text(at) + ", " + y.text(above) + ": " + ChartAxis.numbers("").text(weight);
        return mark("", new Mark(at, at, above, weight, tip));
    }

    private Chart mark(String of, Mark mark) {
        series.computeIfAbsent(of, absent -> new ArrayList<>()).add(mark);
        return this;
    }

    String title() {
        return title;
    }

    /** Returns the picture, which needs nothing else. */
    public String svg() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + ' ' + height()
                + "\" font-family=\"sans-serif\" font-size=\"12\">\n<style>" + STYLE
                + "</style>\n" + body(true) + "</svg>\n";
    }

    int height() {
        return HEIGHT + bottom() - BOTTOM;
    }

    private int bottom() {
        return x.isOfNames() ? NAMES : BOTTOM;
    }

    private int left() {
        return y.isOfNames() ? NAMES + LEFT / 2 : LEFT;
    }

    /** Returns everything that is drawn. */
    String body(boolean titled) {
        out.setLength(0);
        bounds();
        if (titled) {
            text(left(), 18, "start", title, " font-weight=\"bold\"");
        }
        legend();
        axes();
        int number = 0;
        for (Map.Entry<String, List<Mark>> each : series.entrySet()) {
            switch (curves.contains(each.getKey()) ? Kind.LINE : kind) {
                case BAR -> bars(each.getKey(), each.getValue(), number++);
                case LINE -> line(each.getKey(), each.getValue(), number++);
                default -> cells(each.getValue());
            }
        }
        return out.toString();
    }

    private void bounds() {
        least = Double.MAX_VALUE;
        most = -Double.MAX_VALUE;
        highest = 0;
        for (List<Mark> marks : series.values()) {
            for (Mark mark : marks) {
                least = Math.min(least, mark.x);
                most = Math.max(most, mark.end);
                highest = Math.max(highest, mark.y);
            }
        }
        if (series.isEmpty()) {
            least = 0;
            most = 1;
        }
        if (x.isOfNames()) {
            least = -0.5;
            most = x.names().size() - 0.5;
        } else if (kind != Kind.LINE) {
            double half = narrowest() / 2;
            least -= kind == Kind.BAR && x.isLogarithmic() ? 0 : half;
            most += kind == Kind.BAR && x.isLogarithmic() ? 0 : half;
        }
        highest = y.isOfNames() ? y.names().size() : highest > 0 ? highest : 1;
    }

    /** Returns how far the two nearest places lie apart; 1 if there are not two. */
    private double narrowest() {
        TreeSet<Double> places = new TreeSet<>();
        series.forEach((name, marks) -> {
            if (!curves.contains(name)) {
                marks.forEach(mark -> places.add(mark.x));
            }
        });
        double narrowest = Double.MAX_VALUE;
        Double before = null;
        for (double place : places) {
            narrowest = before == null ? narrowest : Math.min(narrowest, place - before);
            before = place;
        }
        return narrowest == Double.MAX_VALUE ? 1 : narrowest;
    }

    private double px(double value) {
        return left() + x.part(value, least, most) * (WIDTH - left() - RIGHT);
    }

    private double py(double value) {
        double part = y.isOfNames() ? value / highest : y.part(value, 0, highest);
        return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
    }

    private void axes() {
        double floor = py(0);
        for (double tick : names(y, 0, highest)) {
            double at = py(y.isOfNames() ? tick + 0.5 : tick);
            grid(left(), at, WIDTH - RIGHT, at);
            text(left() - 6, at + 4, "end", cut(y.text(tick)), "");
        }
        for (double tick : names(x, least, most)) {
            if (x.isOfNames()) {
                turned(px(tick) + 4, floor + 8, cut(x.text(tick)));
            } else {
                grid(px(tick), floor, px(tick), floor + 4);
                text(px(tick), floor + 18, "middle", x.text(tick), "");
            }
        }
        text((left() + WIDTH - RIGHT) / 2.0, height() - 8, "middle", x.title(), "");
        out.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(13 %d) rotate(-90)\" text-anchor=\"middle\">%s"
                        + "</text>%n",
                (TOP + HEIGHT - BOTTOM) / 2,
                XmlText.escaped(y.title())));
    }

    private static List<Double> names(ChartAxis axis, double from, double to) {
        if (!axis.isOfNames()) {
            return axis.ticks(from, to);
        }
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < axis.names().size(); i++) {
            all.add((double) i);
        }
        return all;
    }

    private void legend() {
        if (kind == Kind.HEAT) {
            heatLegend();
            return;
        }
        if (series.size() < 2) {
            return;
        }
        double at = WIDTH - RIGHT;
        List<String> names = new ArrayList<>(series.keySet());
        for (int i = names.size() - 1; i >= 0; i--) {
            String name = cut(names.get(i));
            at -= 7.0 * name.length();
            text(at, 34, "start", name, "");
            at -= 14;
            out.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"bar s%d\" x=\"%.1f\" y=\"25\" width=\"10\" height=\"10\"/>%n",
                    i % SERIES,
                    at));
            at -= 12;
        }
    }

    private void heatLegend() {
        double heaviest = heaviest();
        String text =
                "lightest: 0, darkest: " + ChartAxis.numbers("").text(heaviest) + ", logarithmic";
        text(WIDTH - RIGHT, 34, "end", text, "");
    }

    private double heaviest() {
        return series.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Mark::weight)
                .max()
                .orElse(1);
    }

    private void bars(String of, List<Mark> marks, int number) {
        double floor = py(0);
        double whole = x.isOfNames() ? 1 : narrowest();
        double part = 0.84 * whole / (series.size() - curves.size());
        for (Mark mark : marks) {
            boolean wide = mark.end > mark.x;
            double from = wide ? px(mark.x) : px(mark.x - 0.42 * whole + part * number);
            double to = wide ? px(mark.end) : px(mark.x - 0.42 * whole + part * (number + 1));
            double top = py(Math.max(0, mark.y));
            rectangle(
                    "class=\"bar s" + number % SERIES + "\"",
                    from,
                    top,
                    Math.max(0.5, to - from - (wide ? 1 : 0)),
                    Math.max(mark.y > 0 ? 0.5 : 0, floor - top),
                    tip(of, mark));
        }
    }

    private String tip(String of, Mark mark) {
        return series.size() > 1 ? of + ", " + mark.tip : mark.tip;
    }

    private void line(String of, List<Mark> marks, int number) {
        String style = "s" + number % SERIES;
        StringBuilder points = new StringBuilder();
        for (Mark mark : marks) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", px(mark.x), py(mark.y)));
        }
        out.append("<polyline class=\"line ")
                .append(style)
                .append("\" points=\"")
                .append(points.toString().strip())
                .append("\"/>\n");
        int step = 1 + marks.size() / MOST_MARKS;
        for (int i = 0; i < marks.size(); i += step) {
            Mark mark = marks.get(i);
            out.append(String.format(
                    Locale.ROOT,
                    "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s</title>"
                            + "</circle>%n",
                    style,
                    px(mark.x),
                    py(mark.y),
                    XmlText.escaped(tip(of, mark))));
        }
    }

    private void cells(List<Mark> marks) {
        double heaviest = Math.log1p(heaviest());
        double width = x.isOfNames() ? 1 : narrowest();
        double above = y.isOfNames() ? 1 : rowHeight();
        for (Mark mark : marks) {
            double part = heaviest > 0 ? Math.log1p(Math.max(0, mark.weight)) / heaviest : 0;
            double from = px(mark.x - width / 2);
            double top = py(mark.y + above);
            rectangle(
                    String.format(
                            Locale.ROOT,
                            "fill=\"#3f78bd\" fill-opacity=\"%.2f\"",
                            0.08 + 0.92 * part),
                    from,
                    top,
                    Math.max(0.5, px(mark.x + width / 2) - from),
                    Math.max(0.5, py(mark.y) - top),
                    mark.tip);
        }
    }

    private double rowHeight() {
        TreeSet<Double> rows = new TreeSet<>();
        series.values().forEach(marks -> marks.forEach(mark -> rows.add(mark.y)));
        return rows.size() < 2 ? 1 : (rows.last() - rows.first()) / (rows.size() - 1);
    }

    private void rectangle(
            String style, double left, double top, double width, double high, String tip) {
        out.append(String.format(
                Locale.ROOT,
                "<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title>"
                        + "</rect>%n",
                style,
                left,
                top,
                width,
                high,
                XmlText.escaped(tip)));
    }

    private void grid(double fromX, double fromY, double toX, double toY) {
        out.append(String.format(
                Locale.ROOT,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                fromX,
                fromY,
                toX,
                toY));
    }

    private void text(double atX, double atY, String anchor, String text, String style) {
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>%n",
                atX,
                atY,
                anchor,
                style,
                XmlText.escaped(text)));
    }

    private void turned(double atX, double atY, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(%.1f %.1f) rotate(-55)\" text-anchor=\"end\">%s"
                        + "</text>%n",
                atX,
                atY,
                XmlText.escaped(text)));
    }

    private static String cut(String name) {
        return name.length() <= LETTERS ? name : TextTable.ends(name, LETTERS / 2, LETTERS / 2 - 1);
    }
}
