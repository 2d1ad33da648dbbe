package dev.madt.view.calls;

import dev.madt.tracker.Durations;
import dev.madt.view.toolkit.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** A profile as a table: a row for each function, or for each path. */
public final class CallTable {
    private static final List<String> TIMES = List.of("total", "self");
    private static final List<String> ABSENCES = List.of("cpu", "waited", "in", "preempted", "by");
    private static final List<String> SYSTEM_CALLS = List.of("syscalls", "in");
    private static final List<String> SPREAD = List.of("min", "mean", "p99", "max");
    /** Holds what names may have the room of; that a function waited, and how long, stays. */
    private static final List<String> SPARE =
            List.of("min", "p99", "mean", "by", "preempted", "cpu");

    private static final List<String> MEMORY = List.of("accesses", "bytes");

    private final CallProfile profile;
    private final boolean paths;

    /** @param paths a row for each path */
    public CallTable(CallProfile profile, boolean paths) {
        this.profile = profile;
        this.paths = paths;
    }

    /** The headings of all columns that there may be. */
    public static List<String> columns(boolean paths) {
        List<String> absences = new ArrayList<>(SYSTEM_CALLS.subList(0, 1));
        absences.addAll(ABSENCES);
        return columns(paths, true, absences, true);
    }

    private static List<String> columns(
            boolean paths, boolean timed, List<String> absences, boolean accesses) {
        List<String> columns = new ArrayList<>(List.of("share", paths ? "path" : "function"));
        columns.add("module");
        columns.add("calls");
        if (timed) {
            columns.addAll(TIMES);
            if (!paths) {
                columns.addAll(absences);
                columns.addAll(SPREAD);
            }
        }
        if (accesses) {
            columns.addAll(MEMORY);
        }
        return columns;
    }

    /**
     * The rows, those first whose functions took most time themselves, or without times were called
     * most.
     *
     * @param wanted of which functions there are rows
     * @param top rows at most; 0: all
     */
    public Table table(Predicate<String> wanted, int top) {
        List<CallCost> rows = new ArrayList<>(paths ? profile.paths() : profile.functions());
        if (!paths) {
            rows.add(profile.start().function());
        }
        rows.removeIf(row -> !row.isKnown() && row.accesses() + row.bytes() == 0
                || !wanted.test(function(row).name()));
        rows.sort(Comparator.comparingLong(this::weight)
                .thenComparingLong(CallCost::accesses)
                .reversed()
                .thenComparing(paths ? byNames() : Comparator.comparing(CallTable::name)));
        Table table = new Table(
                        paths ? "paths" : "functions",
                        columns(paths, profile.isTimed(), absences(), profile.isOfAccesses()))
                .extra(extra())
                .spare(SPARE);
        double all = Math.max(1, rows.stream().mapToLong(this::weight).sum());
        long calls = rows.stream().mapToLong(CallCost::calls).sum();
        long self = rows.stream().mapToLong(CallCost::self).sum();
        return table.first(rows, top, row -> cells(row, all)).total(total(rows, calls, self));
    }

    /** The columns of what is known of the time without a processor, or in system calls. */
    private List<String> absences() {
        return profile.isOfAbsences()
                ? ABSENCES
                : profile.isOfSystemCalls() ? SYSTEM_CALLS : List.of();
    }

    /** Columns that only wide tables have. */
    private List<String> extra() {
        if (!paths && !absences().isEmpty()) {
            return List.of("module", "min");
        }
        return paths || profile.isOfAccesses() ? List.of("module") : List.of();
    }

    /** Compares paths function by function: texts of deep ones would be long. */
    private Comparator<CallCost> byNames() {
        Map<CallCost, Integer> places = new IdentityHashMap<>();
        Deque<CallPath> left = new ArrayDeque<>();
        left.push(profile.start());
        while (!left.isEmpty()) {
            CallPath path = left.pop();
            places.put(path, places.size());
            List<CallPath> callees = path.callees();
            callees.sort(Comparator.comparing(CallPath::last).reversed());
            callees.forEach(left::push);
        }
        return Comparator.comparingInt(places::get);
    }

    private static String name(CallCost row) {
        return row instanceof CallPath path ? path.name() : ((CallFunction) row).name();
    }

    private static CallFunction function(CallCost row) {
        return row instanceof CallPath path ? path.function() : (CallFunction) row;
    }

    private long weight(CallCost row) {
        return profile.isTimed() ? row.self() : row.calls();
    }

    private Object[] cells(CallCost row, double all) {
        List<Object> cells = new ArrayList<>();
        cells.add(new Table.Share(weight(row) / all));
        cells.add(row == profile.start() ? CallProfile.OUTSIDE : name(row));
        cells.add(function(row).module());
        cells.add(row.calls());
        boolean called = row.calls() > 0;
        if (profile.isTimed()) {
            cells.add(row.isKnown() ? new Table.Time(row.total()) : null);
            cells.add(row.isKnown() ? new Table.Time(row.self()) : null);
            if (!paths) {
                addAbsences(cells, function(row));
                Durations spread = function(row).durations();
                cells.add(called ? new Table.Time(spread.least()) : null);
                cells.add(called ? new Table.Time(spread.mean()) : null);
                cells.add(called ? new Table.Time(spread.percentile(99)) : null);
                cells.add(called ? new Table.Time(spread.most()) : null);
            }
        }
        if (profile.isOfAccesses()) {
            cells.add(row.accesses());
            cells.add(row.bytes());
        }
        return cells.toArray();
    }

    private void addAbsences(List<Object> cells, CallFunction function) {
        boolean called = function.isKnown();
        if (profile.isOfAbsences()) {
            cells.add(called ? new Table.Time(function.onProcessor()) : null);
            cells.add(called ? new Table.Time(function.waited()) : null);
            cells.add(function.systemCall());
            cells.add(called ? new Table.Time(function.preempted()) : null);
            cells.add(function.taker());
        } else if (profile.isOfSystemCalls()) {
            cells.add(called ? new Table.Time(function.called()) : null);
            cells.add(function.systemCall());
        }
    }

    /** In the last row; what it was in, and by whom, is no sum. */
    private static Table.Time total(List<CallCost> rows, String absence) {
        ToLongFunction<CallFunction> time =
                switch (absence) {
                    case "cpu" -> CallFunction::onProcessor;
                    case "waited" -> CallFunction::waited;
                    case "preempted" -> CallFunction::preempted;
                    case "syscalls" -> CallFunction::called;
                    default -> null;
                };
        return time == null
                ? null
                : new Table.Time(
                        rows.stream().map(CallTable::function).mapToLong(time).sum());
    }

    private Object[] total(List<CallCost> rows, long calls, long self) {
        List<Object> cells = new ArrayList<>(List.of(new Table.Share(1), "total", "", calls));
        if (profile.isTimed()) {
            cells.add(null);
            cells.add(new Table.Time(self));
            if (!paths) {
                absences().forEach(column -> cells.add(total(rows, column)));
                SPREAD.forEach(column -> cells.add(null));
            }
        }
        if (profile.isOfAccesses()) {
            cells.add(rows.stream().mapToLong(CallCost::accesses).sum());
            cells.add(rows.stream().mapToLong(CallCost::bytes).sum());
        }
        return cells.toArray();
    }
}
