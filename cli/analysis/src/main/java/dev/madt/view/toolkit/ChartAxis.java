package dev.madt.view.toolkit;

import dev.madt.console.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An axis of a {@link Chart}: what it shows, how far apart values lie, how they are written. */
public final class ChartAxis {
    private static final int TICKS = 8;
    private static final double[] STEPS = {1, 2, 5};
    private static final int DECADE = 10;
    private static final int KIBI = 1024;
    /** Nanoseconds up to which an axis of times is even, more or less. */
    private static final double SHORT = 100;

    /** Says how a value is written. */
    private enum Unit {
        NUMBER,
        BYTES,
        TIME,
        SHARE
    }

    private final String title;
    private final Unit unit;
    private final int base;
    private final List<String> names;

    private ChartAxis(String title, Unit unit, int base, List<String> names) {
        this.title = title;
        this.unit = unit;
        this.base = base;
        this.names = names;
    }

    /** Returns an axis of numbers from 0 on. */
    public static ChartAxis numbers(String title) {
        return new ChartAxis(title, Unit.NUMBER, 0, List.of());
    }

    /** Returns an axis of bytes from 0 on. */
    public static ChartAxis linearBytes(String title) {
        return new ChartAxis(title, Unit.BYTES, 0, List.of());
    }

    /** Returns an axis of bytes, in which each power of two has as much room. */
    public static ChartAxis bytes(String title) {
        return new ChartAxis(title, Unit.BYTES, 2, List.of());
    }

    /** Returns an axis of numbers from 0 on, in which each power of a base has as much room. */
    public static ChartAxis logarithmic(String title, int base) {
        return new ChartAxis(title, Unit.NUMBER, base, List.of());
    }

    /** Returns an axis of nanoseconds from 0 on; above some, each power of ten has as much room. */
    public static ChartAxis times(String title) {
        return new ChartAxis(title, Unit.TIME, DECADE, List.of());
    }

    /** Returns an axis of parts of a whole, 0 to 1. */
    public static ChartAxis shares(String title) {
        return new ChartAxis(title, Unit.SHARE, 0, List.of());
    }

    /** Returns an axis of names: value {@code i} is the one at index {@code i}. */
    public static ChartAxis names(List<String> names) {
        return named("", names);
    }

    /** As above, with a title. */
    public static ChartAxis named(String title, List<String> names) {
        return new ChartAxis(title, Unit.NUMBER, 0, List.copyOf(names));
    }

    String title() {
        return title;
    }

    boolean isOfNames() {
        return !names.isEmpty();
    }

    List<String> names() {
        return names;
    }

    boolean isLogarithmic() {
        return base > 0;
    }

    /** Returns where a value lies between two others: 0 to 1. */
    double part(double value, double least, double most) {
        double from = place(least);
        double to = place(most);
        return to > from ? (place(value) - from) / (to - from) : 0;
    }

    private double place(double value) {
        if (base == 0) {
            return value;
        }
        return switch (unit) {
            case BYTES -> Math.log(Math.max(1, value));
            case TIME -> Math.log1p(Math.max(0, value) / SHORT);
            default -> Math.log1p(Math.max(0, value));
        };
    }

    /** Returns the values that are written beside the axis. */
    List<Double> ticks(double least, double most) {
        return base == 0 ? evenTicks(least, most) : powerTicks(least, most);
    }

    private static List<Double> evenTicks(double least, double most) {
        double span = most - least;
        if (span <= 0) {
            return List.of(least);
        }
        double decade = Math.pow(DECADE, Math.floor(Math.log10(span)) - 1);
        double step = decade;
        for (int i = 0; span / step > TICKS; i++) {
            step = decade * STEPS[i % STEPS.length] * Math.pow(DECADE, i / STEPS.length);
        }
        List<Double> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(least / step); i * step <= most + step / DECADE; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private List<Double> powerTicks(double least, double most) {
        int powers = (int) Math.ceil(Math.log(Math.max(base, most)) / Math.log(base));
        int step = Math.max(1, (powers + TICKS - 1) / TICKS);
        List<Double> ticks = new ArrayList<>();
        for (int power = 0; power <= powers; power += step) {
            double value = Math.pow(base, power);
            if (value >= least && value <= most && (unit != Unit.TIME || value >= SHORT)) {
                ticks.add(value);
            }
        }
        return ticks;
    }

    /** Returns a value as it is written beside the axis. */
    String text(double value) {
        if (isOfNames()) {
            int at = (int) Math.round(value);
            return at >= 0 && at < names.size() ? names.get(at) : "";
        }
        return switch (unit) {
            case BYTES -> bytes(value);
            case TIME -> new Table.Time((long) value).text();
            case SHARE -> Numbers.percent(100 * value);
            default ->
                value == Math.rint(value) && Math.abs(value) < 1e15
                        ? Numbers.grouped((long) value)
                        : String.format(Locale.ROOT, "%.4g", value);
        };
    }

    private static String bytes(double value) {
        double rest = value;
        int unit = 0;
        for (; rest >= KIBI && unit < 4; unit++) {
            rest /= KIBI;
        }
        String number = rest == Math.rint(rest)
                ? Long.toString((long) rest)
                : String.format(Locale.ROOT, "%.1f", rest);
        return number + " " + List.of("B", "KiB", "MiB", "GiB", "TiB").get(unit);
    }
}
