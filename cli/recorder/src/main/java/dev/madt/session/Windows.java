package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Says when a recording records: from what {@code --start} names to what {@code --stop} names.
 *
 * @param start what opens a window
 * @param stop what closes it, or null
 * @param lasts nanoseconds after which it closes; 0: it does not
 * @param most windows of each process; 0: any number
 */
public record Windows(Trigger start, Trigger stop, long lasts, int most) {
    /** From main to the end. */
    public static final Windows MAIN = new Windows(Trigger.MAIN, null, 0, 1);

    /** Checks what was asked for; null is what was not. */
    public static Windows of(Trigger start, Trigger stop, String lasts, String most, int status)
            throws Failure {
        long nanos = lasts == null ? 0 : Trigger.nanos(lasts, "--for", status);
        if (start.isSlowCall()) {
            throw new Failure(
                    status,
                    "--start " + start.text() + ": how long a call takes is known while it is"
                            + " recorded. Use it with --stop.");
        }
        boolean any = start.point() == StartPoint.MARKER || start.point() == StartPoint.CTL;
        if (most == null) {
            return new Windows(start, stop, nanos, any ? 0 : 1);
        }
        if (!most.matches("[0-9]{1,9}")) {
            throw new Failure(
                    status, "--windows is a number, 0 for any number, not '" + most + "'.");
        }
        int number = Integer.parseInt(most);
        if (!start.point().comesAgain() && number != 1) {
            throw new Failure(
                    status,
                    "--windows needs a --start that can come again, such as func:GLOB; "
                            + start.text() + " comes once.");
        }
        if (number != 1 && stop == null && nanos == 0 && !any) {
            throw new Failure(
                    status,
                    "--windows needs something that closes a window: --stop WHEN or --for TIME.");
        }
        return new Windows(start, stop, nanos, number);
    }

    /** Returns whether functions open or close windows. */
    public boolean watchFunctions() {
        return start.glob() != null || stop != null && stop.glob() != null;
    }

    /** Returns whether it is as without any option, but for main or load. */
    public boolean isWhole() {
        return start.point().code() <= StartPoint.LOAD.code() && stop == null && lasts == 0;
    }

    /** Returns how long the recording lasts from its begin, if time alone ends it; else 0. */
    public long wholeTime() {
        return start.point().code() <= StartPoint.LOAD.code() && most == 1 ? lasts : 0;
    }

    /** As its options put it. */
    public String text() {
        List<String> parts = new ArrayList<>();
        parts.add(start.text());
        if (stop != null) {
            parts.add("until " + stop.text());
        }
        if (lasts > 0) {
            parts.add("for " + span(lasts));
        }
        return String.join(" ", parts);
    }

    /** A time for people, such as 200 ms. */
    public static String span(long nanos) {
        String[] units = {"ns", "µs", "ms", "s"};
        double value = nanos;
        int unit = 0;
        while (value >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return unit == 0 || value == Math.rint(value) && value < 1e9
                ? Math.round(value) + " " + units[unit]
                : String.format(java.util.Locale.ROOT, "%.3g", value) + " " + units[unit];
    }

    /** Returns whether nothing opens another window when one is closed, but {@code madt ctl}. */
    public boolean isSingle() {
        return most == 1;
    }

    /** Returns whether no window comes behind so many. */
    public boolean isLast(int count) {
        return most > 0 && count >= most;
    }

    /** Puts it into the session page. */
    void write(ByteBuffer page) {
        int at = SharedLayout.Session.WINDOWS;
        page.putInt(SharedLayout.Session.START, start.point().code());
        start.write(page, at + SharedLayout.Windows.OPENS);
        if (stop != null) {
            stop.write(page, at + SharedLayout.Windows.CLOSES);
            StartPoint point = stop.isSlowCall() ? StartPoint.CTL : stop.point();
            page.putInt(at + SharedLayout.Windows.STOP, point.code());
        }
        page.putLong(at + SharedLayout.Windows.LASTS, lasts);
        page.putInt(at + SharedLayout.Windows.MOST, most);
    }
}
