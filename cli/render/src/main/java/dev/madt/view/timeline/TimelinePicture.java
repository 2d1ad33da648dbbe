package dev.madt.view.timeline;

import dev.madt.console.Numbers;
import dev.madt.view.toolkit.XmlText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A timeline as SVG 1.1: for each thread the calls as boxes below those of their callers. Boxes
 * have titles, which viewers show as tooltips.
 */
final class TimelinePicture {
    private static final int WIDTH = 1200;
    private static final int ROW = 16;
    private static final int HEADING = 20;
    private static final int TOP = 44;
    private static final int WINDOWS = 37;
    private static final int WINDOW = 5;
    private static final int LINE = 4;
    private static final int MOST_ROWS = 100;
    private static final int MARKS = 8;
    private static final double LEAST = 0.7;
    private static final double LETTER = 6.7;
    private static final int SHADES = 5;
    private static final String STYLE =
            "<style>svg{background:#fff}rect{stroke:#fff;stroke-width:.4}text{fill:#1f2328}"
                    + "line{stroke:#d0d7de}.a{fill:#a9c9ee}.b{fill:#bcd3c2}.c{fill:#f1cf9d}"
                    + ".d{fill:#d6c3e8}.e{fill:#efb9b4}.m{fill:#8c96a3}.w{fill:#57606a}"
                    + ".z{fill:#fff;stroke:none;opacity:.6}.n{fill:#8c96a3;stroke:none}"
                    + ".p{fill:#c0392b;stroke:none}"
                    + ".o{stroke:#c0392b;stroke-width:1.5}"
                    + "@media(prefers-color-scheme:dark){svg{background:#14171b}"
                    + "rect{stroke:#14171b}text{fill:#f1f3f5}line{stroke:#343a42}.a{fill:#2c4f7c}"
                    + ".b{fill:#2f5a3f}.c{fill:#6e4f1c}.d{fill:#533d70}.e{fill:#70342f}"
                    + ".m{fill:#59616c}.w{fill:#cdd3da}.o{stroke:#ff7b72}"
                    + ".z{fill:#14171b;opacity:.55}.n{fill:#59616c}.p{fill:#ff7b72}}</style>\n";

    private final Timeline timeline;
    private final Lanes lanes;
    private final String title;
    private final boolean timed;
    private final double scale;
    private final Map<Lane, List<OffCpu>> offCpu;
    private final StringBuilder boxes = new StringBuilder();
    /** The names in the boxes of a lane, which stand above all that is drawn there. */
    private final StringBuilder names = new StringBuilder();

    private int y = TOP;

    TimelinePicture(Timeline timeline, Lanes lanes, String title) {
        this.timeline = timeline;
        this.lanes = lanes;
        this.title = title;
        this.timed = timeline.functions().profile().isTimed();
        this.scale = (double) WIDTH / (timeline.last() - timeline.first());
        this.offCpu = lanes.offCpu().stream().collect(Collectors.groupingBy(OffCpu::lane));
    }

    void write(OutputStream out) throws IOException {
        for (TracedProcess process : lanes.processes()) {
            lanes.of(process).forEach(this::lane);
        }
        String head = String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
                        + " height=\"%2$d\" font-family=\"monospace\" font-size=\"11\">%n",
                WIDTH,
                y + 2 * ROW);
        String windows = lanes.windows(timeline.first(), timeline.last()).isEmpty()
                ? ""
                : "; bars below the axis: windows of the recording";
        String caption = String.format(
                Locale.ROOT,
                "<text x=\"4\" y=\"14\">%s</text>%n",
                XmlText.escaped(String.format(
                        Locale.ROOT,
                        "%s: %s in %s; grey: short calls together; red border: never left%s",
                        title,
                        lanes.counted(timeline.calls()),
                        Positions.length(timeline.last() - timeline.first(), timed),
                        windows)));
        out.write((head + STYLE + caption + axis() + windows() + boxes + key() + "</svg>\n")
                .getBytes(StandardCharsets.UTF_8));
    }

    /** Returns what pale parts are, and how the program ended. */
    private String key() {
        String system = lanes.offCpu().stream().anyMatch(time -> time.why().startsWith(OffCpu.IN))
                ? "was in a system call"
                : "had no processor (red line: another thread had it)";
        String pale = lanes.offCpu().isEmpty()
                ? ""
                : "pale: the thread " + system + ", or waited for MadT, which is in no time of a"
                        + " call";
        String killed = lanes.brokenOff();
        String said = pale + (pale.isEmpty() || killed.isEmpty() ? "" : "; ") + killed;
        return said.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "<text x=\"4\" y=\"%d\">%s</text>%n",
                        y + ROW + 4,
                        XmlText.escaped(said));
    }

    private String axis() {
        StringBuilder axis = new StringBuilder();
        long range = timeline.last() - timeline.first();
        long step = Positions.step(range, MARKS);
        for (long at = 0; at < range; at += step) {
            double x = at * scale;
            axis.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"22\" y2=\"%2$d\"/>"
                            + "<text x=\"%3$.1f\" y=\"34\">%4$s</text>%n",
                    x,
                    y,
                    x + 3,
                    at == 0
                            ? Positions.position(timeline.first(), timed)
                            : "+" + Positions.length(at, timed)));
        }
        return axis.toString();
    }

    /** A bar below the axis for each window that was asked for. */
    private String windows() {
        StringBuilder bars = new StringBuilder();
        for (RecordedWindow window : lanes.windows(timeline.first(), timeline.last())) {
            double left = Math.max(0, (window.from() - timeline.first()) * scale);
            double right = (window.end(timeline.last()) - timeline.first()) * scale;
            String of = lanes.processes().size() > 1 ? " of " + window.process().title() : "";
            bars.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"w\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s"
                            + "</title></rect>%n",
                    left,
                    WINDOWS,
                    Math.max(2, right - left),
                    WINDOW,
                    XmlText.escaped(window.title() + of + ": " + window.causes())));
        }
        return bars.toString();
    }

    private void lane(Lane lane) {
        List<SpanRow> rows = timeline.rows(lane);
        if (rows.isEmpty()) {
            return;
        }
        String deeper = rows.size() > MOST_ROWS
                ? ", without " + (rows.size() - MOST_ROWS) + " deeper rows"
                : "";
        y += HEADING;
        boxes.append(String.format(
                Locale.ROOT,
                "<text x=\"4\" y=\"%d\" font-weight=\"bold\">%s</text>%n",
                y - 6,
                XmlText.escaped(lane.process().title() + ", " + lane.title() + deeper)));
        for (SpanRow row : rows.subList(0, Math.min(rows.size(), MOST_ROWS))) {
            row(row);
            y += ROW;
        }
        offCpu(lane, Math.min(rows.size(), MOST_ROWS) * ROW);
        boxes.append(names);
        names.setLength(0);
    }

    /**
     * Pale over all rows, which end here, where the thread did not run; above them a line says why.
     */
    private void offCpu(Lane lane, int height) {
        List<OffCpu> times = offCpu.getOrDefault(lane, List.of());
        new OffCpuBands(times, timeline.first(), scale, WIDTH, LEAST)
                .draw((left, right, part, preempted, said) -> {
                    String opacity = part < 1
                            ? String.format(Locale.ROOT, " fill-opacity=\"%.2f\"", part)
                            : "";
                    boxes.append(String.format(
                            Locale.ROOT,
                            "<rect class=\"z\" x=\"%1$.1f\" y=\"%2$d\" width=\"%3$.1f\""
                                    + " height=\"%4$d\"%5$s pointer-events=\"none\"/>"
                                    + "<rect class=\"%6$s\" x=\"%1$.1f\" y=\"%7$d\""
                                    + " width=\"%3$.1f\" height=\"%8$d\"%5$s>"
                                    + "<title>%9$s</title></rect>%n",
                            left,
                            y - height,
                            Math.max(LEAST, right - left),
                            height,
                            opacity,
                            preempted ? "p" : "n",
                            y - height - LINE - 1,
                            LINE,
                            XmlText.escaped(said)));
                });
    }

    private void row(SpanRow row) {
        new SpanBoxes(row, timeline.first(), scale, WIDTH, LEAST, new SpanBoxes.Pen() {
                    @Override
                    public void call(double left, double right, int at) {
                        box(row, left, right, at);
                    }

                    @Override
                    public void calls(
                            double left, double right, long calls, long time, int longest) {
                        String said = String.format(
                                Locale.ROOT,
                                "%s, %s in them; the longest: %s",
                                Numbers.counted(calls, "call", "calls"),
                                Positions.length(time, timed),
                                name(row, longest));
                        double part = Math.min(1, time * scale / Math.max(LEAST, right - left));
                        rectangle("m", left, right, said, 0.3 + 0.7 * part);
                    }
                })
                .draw();
    }

    private String name(SpanRow row, int at) {
        return timeline.functions().all().get(row.function(at)).name();
    }

    private void box(SpanRow row, double left, double right, int at) {
        String name = name(row, at);
        boolean open = row.ending(at) == Call.Ending.OPEN;
        String said = String.format(
                Locale.ROOT,
                "%s%s %s: %s at %s%s",
                name,
                row.said(at) == null ? "" : row.said(at),
                timeline.functions().all().get(row.function(at)).cost().module(),
                Positions.length(row.length(at), timed),
                Positions.position(row.start(at), timed),
                open ? ", never left" : "");
        String shade = String.valueOf((char) ('a' + Math.floorMod(name.hashCode(), SHADES)));
        rectangle(open ? shade + " o" : shade, left, right, said, 1);
        int letters = (int) ((right - left) / LETTER) - 1;
        if (letters >= 3) {
            String shown = name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
            names.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" pointer-events=\"none\">%s</text>%n",
                    left + 3,
                    y + 12,
                    XmlText.escaped(shown)));
        }
    }

    private void rectangle(String kind, double left, double right, String said, double opacity) {
        boxes.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"%s><title>%s"
                        + "</title></rect>%n",
                kind,
                left,
                y,
                Math.max(LEAST, right - left),
                ROW - 1,
                opacity < 1 ? String.format(Locale.ROOT, " opacity=\"%.2f\"", opacity) : "",
                XmlText.escaped(said)));
    }
}
