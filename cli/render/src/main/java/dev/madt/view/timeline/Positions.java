package dev.madt.view.timeline;

import dev.madt.view.toolkit.Table;
import java.util.Locale;

/** Positions and lengths as text: nanoseconds, or events in a trace without times. */
final class Positions {
    private static final double[] STEPS = {1, 2, 5, 10};

    private Positions() {}

    static String length(long length, boolean timed) {
        return timed
                ? new Table.Time(length).text()
                : String.format(Locale.ROOT, "%,d %s", length, length == 1 ? "event" : "events");
    }

    /** A position on an axis. */
    static String position(long at, boolean timed) {
        return timed ? new Table.Time(at).text() : String.format(Locale.ROOT, "$%d", at);
    }

    /** The least round distance of marks of which at most {@code most} fit into a range. */
    static long step(long range, int most) {
        double least = Math.max(1, (double) range / most);
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (double step : STEPS) {
            if (step * power >= least) {
                return Math.round(step * power);
            }
        }
        return Math.round(10 * power);
    }
}
