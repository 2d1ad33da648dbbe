package dev.madt.view.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A timeline in characters, for a terminal. */
final class TimelineText {
    private static final int WIDTH = 100;
    private static final int MOST_ROWS = 24;
    private static final int MOST_WINDOWS = 20;
    private static final double LEAST = 1.5;
    private static final String SHADES = "░▒▓█";

    private final Timeline timeline;
    private final Lanes lanes;
    private final boolean timed;
    private final StringBuilder text = new StringBuilder();
    private final double scale;
    private final Map<Lane, List<OffCpu>> offCpu;

    TimelineText(Timeline timeline, Lanes lanes, String title) {
        this.timeline = timeline;
        this.lanes = lanes;
        this.timed = timeline.functions().profile().isTimed();
        long range = timeline.last() - timeline.first();
        this.scale = (double) WIDTH / range;
        this.offCpu = lanes.offCpu().stream().collect(Collectors.groupingBy(OffCpu::lane));
        text.append(String.format(
                Locale.ROOT,
                "%s: %s in %s%n",
                title,
                lanes.counted(timeline.calls()),
                Positions.length(range, timed)));
        if (!lanes.brokenOff().isEmpty()) {
            text.append(lanes.brokenOff()).append('\n');
        }
        windows();
        text.append(String.format(
                "a column is %s; [f---] is a call, [f---> one that is never left,%n"
                        + "%s shorter calls: up to 25, 50, 75, 100 %% of the time is in them%n",
                Positions.length(Math.round(range / (double) WIDTH), timed), SHADES));
        if (!lanes.offCpu().isEmpty()) {
            text.append(OffCpuLine.KEY);
        }
    }

    /** A line for each window that was asked for. */
    private void windows() {
        List<RecordedWindow> windows = lanes.windows(timeline.first(), timeline.last());
        for (RecordedWindow window : windows.subList(0, Math.min(MOST_WINDOWS, windows.size()))) {
            text.append(window.title());
            text.append(lanes.processes().size() > 1 ? " of " + window.process().title() : "");
            text.append(" at ").append(at(window.from()));
            if (window.to() != RecordedWindow.OPEN) {
                long length = window.to() - window.from();
                text.append(", ").append(Positions.length(length, timed));
            }
            text.append(": ").append(window.causes()).append('\n');
        }
        if (windows.size() > MOST_WINDOWS) {
            text.append(String.format(
                    Locale.ROOT, "and %,d more windows%n", windows.size() - MOST_WINDOWS));
        }
    }

    /** A position to the microsecond. */
    private String at(long position) {
        return timed
                ? String.format(Locale.ROOT, "%.6f s", position / 1e9)
                : Positions.position(position, false);
    }

    /** Writes where the windows of a process are. */
    private void windows(TracedProcess process) {
        char[] line = blank();
        for (RecordedWindow window : lanes.windows(timeline.first(), timeline.last())) {
            if (window.process() == process) {
                long end = window.end(timeline.last());
                int from = column(window.from());
                int to = Math.max(from + 1, column(end));
                Arrays.fill(line, from, to, '=');
                String number = String.valueOf(window.number());
                put(line, from, number.length() < to - from ? number : "=");
            }
        }
        if (!new String(line).isBlank()) {
            append(line);
        }
    }

    /** Writes where the thread did not run, if anywhere. */
    private void offCpu(Lane lane) {
        List<OffCpu> times = offCpu.getOrDefault(lane, List.of());
        char[] line = new OffCpuLine(times, timeline.first(), scale, WIDTH).draw();
        if (!new String(line).isBlank()) {
            append(line);
        }
    }

    private int column(long position) {
        long at = Math.round((position - timeline.first()) * scale);
        return (int) Math.max(0, Math.min(WIDTH - 1, at));
    }

    void write(OutputStream out) throws IOException {
        for (TracedProcess process : lanes.processes()) {
            for (Lane lane : lanes.of(process)) {
                lane(lane);
            }
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void lane(Lane lane) {
        List<SpanRow> rows = timeline.rows(lane);
        if (rows.isEmpty()) {
            return;
        }
        text.append('\n').append(lane.process().title()).append(", ").append(lane.title());
        text.append('\n');
        axis();
        windows(lane.process());
        offCpu(lane);
        rows.stream().limit(MOST_ROWS).forEach(this::row);
        if (rows.size() > MOST_ROWS) {
            text.append(rows.size() - MOST_ROWS).append(" deeper rows are not drawn\n");
        }
    }

    private void axis() {
        long range = timeline.last() - timeline.first();
        long step = Positions.step(range, WIDTH / 20);
        char[] line = blank();
        put(line, 0, "|" + Positions.position(timeline.first(), timed));
        for (long at = step; at < range; at += step) {
            put(line, (int) (at * scale), "|+" + Positions.length(at, timed));
        }
        append(line);
    }

    private static char[] blank() {
        char[] line = new char[WIDTH];
        Arrays.fill(line, ' ');
        return line;
    }

    private static void put(char[] line, int at, String what) {
        for (int i = 0; i < what.length() && at + i < line.length; i++) {
            line[at + i] = what.charAt(i);
        }
    }

    private void append(char[] line) {
        text.append(new String(line).stripTrailing()).append('\n');
    }

    private void row(SpanRow row) {
        char[] line = blank();
        new SpanBoxes(row, timeline.first(), scale, WIDTH, LEAST, new SpanBoxes.Pen() {
                    private int used;

                    @Override
                    public void call(double left, double right, int at) {
                        boolean open = row.ending(at) == Call.Ending.OPEN;
                        int from = Math.max(used, Math.min(WIDTH - 1, (int) Math.round(left)));
                        int to = Math.min(WIDTH, Math.max(from + 1, (int) Math.round(right)));
                        String said = row.said(at);
                        String name =
                                timeline.functions().all().get(row.function(at)).name()
                                        + (said == null ? "" : said);
                        if (from == to) {
                            return; // the calls before it have all columns
                        }
                        put(line, from, box(name, to - from, open ? '>' : ']'));
                        used = to;
                    }

                    @Override
                    public void calls(
                            double left, double right, long calls, long time, int longest) {
                        int from = Math.max(used, (int) left);
                        int to = Math.min(WIDTH, Math.max(from + 1, (int) Math.ceil(right)));
                        double part = time * scale / Math.max(1, right - left);
                        int shade = Math.min(SHADES.length() - 1, (int) (part * SHADES.length()));
                        if (from < to) {
                            Arrays.fill(line, from, to, SHADES.charAt(shade));
                            used = to;
                        }
                    }
                })
                .draw();
        append(line);
    }

    private static String box(String name, int width, char end) {
        if (width < 3) {
            return width == 1 ? end == '>' ? ">" : "|" : "[" + end;
        }
        int room = width - 2;
        String shown = name.length() <= room ? name : name.substring(0, room - 1) + "…";
        return "[" + shown + "-".repeat(room - shown.length()) + end;
    }
}
