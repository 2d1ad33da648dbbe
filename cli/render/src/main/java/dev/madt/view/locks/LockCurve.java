package dev.madt.view.locks;

import dev.madt.view.toolkit.Table;
import java.util.Locale;
import java.util.Map;

/** Draws a histogram: bars, and the curve of how many were up to there. */
final class LockCurve {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 300;
    private static final int LEFT = 50;
    private static final int BOTTOM = 40;
    private static final int TOP = 16;

    private LockCurve() {}

    static String svg(LockHistogram histogram) {
        Map<Long, Long> counts = histogram.counts();
        double all = Math.max(1, histogram.all());
        long last = counts.isEmpty()
                ? 1
                : 1 + counts.keySet().stream().max(Long::compare).get();
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"11\">%n",
                WIDTH,
                HEIGHT));
        out.append("<style>text{fill:#333}@media(prefers-color-scheme:dark){text{fill:#ccc}}"
                + "</style>\n");
        axes(out, histogram, last);
        StringBuilder curve = new StringBuilder();
        double seen = 0;
        for (Map.Entry<Long, Long> bin : counts.entrySet()) {
            double share = bin.getValue() / all;
            double at = x(bin.getKey(), last, histogram);
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"2\" height=\"%.1f\""
                            + " fill=\"#7aa6d6\"><title>%s: %,d</title></rect>%n",
                    at,
                    y(share),
                    y(0) - y(share),
                    text(bin.getKey(), histogram),
                    bin.getValue()));
            curve.append(String.format(Locale.ROOT, "%.1f,%.1f ", at, y(seen)));
            seen += share;
            curve.append(String.format(Locale.ROOT, "%.1f,%.1f ", at, y(seen)));
        }
        return out.append("<polyline fill=\"none\" stroke=\"#c0392b\" points=\"")
                .append(curve.toString().strip())
                .append("\"/>\n</svg>\n")
                .toString();
    }

    private static String text(long value, LockHistogram histogram) {
        return histogram.isOfTimes() ? new Table.Time(value).text() : Long.toString(value);
    }

    private static void axes(StringBuilder out, LockHistogram histogram, long last) {
        for (int share = 0; share <= 100; share += 25) {
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>%n",
                    LEFT - 6,
                    y(share / 100.0) + 4,
                    share));
        }
        for (long at = histogram.isOfTimes() ? 100 : 0;
                at <= last;
                at = histogram.isOfTimes() ? at * 10 : at + 1) {
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(at, last, histogram),
                    HEIGHT - BOTTOM + 18,
                    text(at, histogram)));
        }
    }

    /** Times have a logarithmic scale. */
    private static double x(long value, long last, LockHistogram histogram) {
        double part = histogram.isOfTimes()
                ? Math.log10(1 + value / 100.0) / Math.log10(1 + last / 100.0)
                : (double) value / Math.max(1, last);
        return LEFT + part * (WIDTH - LEFT - 20);
    }

    private static double y(double share) {
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
    }
}
