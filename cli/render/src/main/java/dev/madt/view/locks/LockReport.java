package dev.madt.view.locks;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Reading;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Shows what threads do with locks, as one of several tables. */
public final class LockReport {
    /** Words of {@code --by}. */
    public static final List<String> KEYS = List.of("lock", "class");

    /** Names a table. */
    public enum Part {
        ROWS,
        WAITS,
        ORDER,
        HISTOGRAM
    }

    /** Rows that few people read to the end. */
    private static final int MANY = 20;

    private final Part part;
    private final boolean common;
    private final LockRows rows;
    private final LockWaits waits;
    private final LockOrder order = new LockOrder();
    private final LockHistogram histogram;
    private final List<LockFollower> followers = new ArrayList<>();

    /**
     * @param key one of {@link #KEYS}
     * @param measure one of {@link #measures}; null: no histogram
     */
    public LockReport(Part part, String key, String measure) {
        this.part = part;
        common = key.equals(KEYS.get(1));
        rows = new LockRows(common);
        waits = new LockWaits(common);
        histogram = measure == null ? null : new LockHistogram(LockHistogram.Of.word(measure));
    }

    /** Returns what histograms can be of. */
    public static List<String> measures() {
        return LockHistogram.Of.words();
    }

    /** Returns the headings of a table. */
    public static List<String> headings(Part part) {
        return switch (part) {
            case ROWS -> LockRows.HEADINGS;
            case WAITS -> LockWaits.HEADINGS;
            case ORDER -> LockOrder.HEADINGS;
            case HISTOGRAM -> LockHistogram.HEADINGS;
        };
    }

    /** Adds what a trace tells. */
    public void addTo(Reading reading, MemberTypes types) {
        List<LockListener> listeners = new ArrayList<>(List.of(rows));
        switch (part) {
            case WAITS -> listeners.add(waits);
            case ORDER -> listeners.add(order);
            case HISTOGRAM -> listeners.add(histogram);
            default -> {}
        }
        LockFollower follower = new LockFollower(types, listeners);
        followers.add(follower);
        reading.addUnselected(follower); // threads wait for what is not selected, too
    }

    /** Returns whether some trace was to hold locks. */
    public boolean isOfLocks() {
        return followers.stream().anyMatch(LockFollower::isRecorded);
    }

    /**
     * The table.
     *
     * @param top rows at most; 0: all
     * @param fine whether each bin of a histogram has a row
     */
    public Table table(int top, boolean fine) {
        return switch (part) {
            case ROWS -> rows.table(top);
            case WAITS -> waits.table(top, this::threadName);
            case ORDER -> order.table(top, common);
            case HISTOGRAM -> histogram.table(fine);
        };
    }

    /** Returns what a thread is called; null: it has no name. */
    private String threadName(int thread) {
        return followers.stream()
                .map(one -> one.threadNames().of(thread))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether an order is asked for, and there is none. */
    public boolean hasNoOrder() {
        return part == Part.ORDER && order.isEmpty();
    }

    /** Returns the picture of the histogram. */
    public Chart chart(String trace) {
        return histogram.chart(trace);
    }

    /** Returns the commands that tell more of what the rows have, each but for the trace. */
    public List<String> next() {
        List<String> next = new ArrayList<>();
        if (rows.contended() > 0) {
            next.add("madt locks --waits");
        }
        if (rows.nested() > 0) {
            next.add("madt locks --order");
        }
        if (followers.stream().anyMatch(one -> one.hasAccesses() && one.threads() > 1)) {
            next.addAll(List.of("madt races", "madt sharing --lines"));
        }
        return next;
    }

    /** Returns what to know about the tables, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        long events = followers.stream().mapToLong(LockFollower::events).sum();
        int threads = followers.stream().mapToInt(LockFollower::threads).max().orElse(0);
        if (events == 0) {
            all.add("no lock was taken while the trace was recorded, of those that MadT knows:"
                    + " madt run --lock list");
        } else if (threads == 1) {
            all.add("one thread alone used locks: nobody can have waited for another one.");
        }
        followers.stream()
                .map(LockFollower::unseen)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(text -> all.add(text + "."));
        if (part == Part.ROWS && rows.count() > MANY && rows.classes() < rows.count() / 2) {
            all.add("these " + Numbers.grouped(rows.count()) + " locks are of "
                    + Numbers.counted(rows.classes(), "class", "classes")
                    + ", the same member of all data of a type or call: madt locks --by class");
        }
        if (part == Part.ORDER && order.isEmpty() && events > 0) {
            all.add(noOrder(rows.count(), threads));
        } else if (part == Part.ORDER && threads > 1) {
            all.add(circles(order.circles()));
            if (order.leftOut() > 0) {
                all.add("left out: " + Numbers.grouped(order.leftOut()) + " times that a lock was"
                        + " asked for in ways beyond the first " + LockOrder.MOST_WAYS + " of two"
                        + " locks; a circle that needs one of these is not seen.");
            }
        }
        if (followers.stream().anyMatch(LockFollower::lacksStacks)) {
            all.add("locks on stacks have names where stacks are recorded: madt run --stack"
                    + " --record accesses,locks");
        }
        if (rows.unpaired() + rows.kept() > 0) {
            all.add("incomplete: " + Numbers.grouped(rows.unpaired())
                    + " releases of locks that were not got as far as the trace tells, "
                    + Numbers.grouped(rows.kept()) + " locks not released.");
        }
        followers.stream()
                .map(LockFollower::completeness)
                .filter(text -> text != null && !text.equals("complete"))
                .distinct()
                .forEach(text -> all.add("the trace is " + text + ": locks may be missing."));
        return all;
    }

    static String noOrder(long locks, int threads) {
        return "no lock was asked for while another one was held (tries that do not wait are left"
                + " out): looked at were "
                + Numbers.counted(locks, "lock", "locks") + " and what "
                + Numbers.counted(threads, "thread", "threads") + " did with them.";
    }

    private static String circles(int count) {
        return count == 0
                ? "no threads asked for locks in a circle."
                : Numbers.counted(count, "circle", "circles") + " of locks that threads asked for"
                        + " while they held another one: such threads may wait for each other for"
                        + " ever.";
    }
}
