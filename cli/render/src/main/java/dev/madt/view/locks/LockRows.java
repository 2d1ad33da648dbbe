package dev.madt.view.locks;

import dev.madt.tracker.LockWords;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what threads do with each lock. */
final class LockRows implements LockListener {
    static final List<String> HEADINGS = List.of(
            "lock",
            "kind",
            "acquisitions",
            "contended",
            "failed",
            "waited",
            "held",
            "mean",
            "p99",
            "max",
            "alone",
            "with 1 other",
            "with 2 others",
            "with 3+ others",
            "threads",
            "unpaired");

    private static final int P99 = 99;
    /** Place of the column of locks that were got while none was held, in front of the others. */
    private static final int ALONE = HEADINGS.indexOf("alone");

    private final boolean common;
    private final Map<String, LockRow> rows = new HashMap<>();
    private final Set<String> classes = new HashSet<>();

    /** @param common whether locks with a name in common share a row */
    LockRows(boolean common) {
        this.common = common;
    }

    private LockRow row(LockName name) {
        return rows.computeIfAbsent(name.by(common), single -> {
            classes.add(name.common());
            return new LockRow(single);
        });
    }

    /** Returns how many rows there are. */
    int count() {
        return rows.size();
    }

    /** Returns how many there would be if locks with a name in common shared one. */
    int classes() {
        return classes.size();
    }

    @Override
    public void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {
        LockRow row = row(lock.name());
        if (!kind.equals(LockWords.CONDITION)) {
            row.kinds.add(kind);
            row.waited += waited;
        }
        row.threads.add(lock.thread());
        row.acquisitions++;
        row.contended += before == null ? 0 : 1;
        row.depths[Math.min(lock.depth(), LockRow.DEPTHS - 1)]++;
    }

    @Override
    public void released(Holding lock, long held) {
        LockRow row = row(lock.name());
        row.held.add(held);
        row.heldSum += held;
    }

    @Override
    public void unit(Holding unit, long waited, Holding added) {
        LockRow row = row(unit.name());
        row.kinds.add(LockWords.SEMAPHORE);
        row.threads.add(unit.thread());
        row.acquisitions++;
        row.contended += added == null ? 0 : 1;
        row.waited += waited;
    }

    @Override
    public void failed(Holding asked, long waited, Holding before, boolean timed) {
        LockRow row = row(asked.name());
        row.failed++;
        row.waited += waited;
        row.threads.add(asked.thread());
    }

    @Override
    public void unpaired(LockName lock, int thread) {
        row(lock).unpaired++;
    }

    @Override
    public void kept(Holding lock) {
        row(lock.name()).kept++;
    }

    /** Returns how many locks were released that were not got, as far as the trace tells. */
    long unpaired() {
        return rows.values().stream().mapToLong(row -> row.unpaired).sum();
    }

    /** Returns how many were not released. */
    long kept() {
        return rows.values().stream().mapToLong(row -> row.kept).sum();
    }

    /**
     * The rows, those first for which threads waited longest.
     *
     * @param top rows at most; 0: all
     */
    Table table(int top) {
        List<LockRow> all = new ArrayList<>(rows.values());
        all.removeIf(row -> row.acquisitions + row.failed + row.kept == 0);
        all.sort(Comparator.comparingLong((LockRow row) -> row.waited)
                .thenComparingLong(row -> row.acquisitions)
                .reversed()
                .thenComparing(row -> row.name));
        Table table = new Table("locks", HEADINGS)
                .extra(idle(all))
                .spare(List.of("p99", "max", "kind", "held", HEADINGS.get(ALONE)))
                .parts(HEADINGS.subList(ALONE, ALONE + LockRow.DEPTHS));
        return table.first(all, top, LockRows::cells).total(total(all));
    }

    /** Returns the columns that tell nothing of these rows. */
    private static List<String> idle(List<LockRow> all) {
        List<String> idle = new ArrayList<>(List.of("unpaired"));
        if (all.stream().allMatch(row -> row.failed == 0)) {
            idle.add("failed");
        }
        int deepest = LockRow.DEPTHS - 1;
        while (deepest > 0 && isUnused(all, deepest)) {
            idle.add(HEADINGS.get(ALONE + deepest));
            deepest--;
        }
        if (deepest == 0) {
            idle.add(HEADINGS.get(ALONE)); // as often as they were got
        }
        return idle;
    }

    private static boolean isUnused(List<LockRow> all, int depth) {
        return all.stream().allMatch(row -> row.depths[depth] == 0);
    }

    /** Returns how often threads got locks that others had when they asked. */
    long contended() {
        return rows.values().stream().mapToLong(row -> row.contended).sum();
    }

    /** Returns how often threads got locks while they held others. */
    long nested() {
        return rows.values().stream()
                .mapToLong(row -> Arrays.stream(row.depths).skip(1).sum())
                .sum();
    }

    private static Object[] cells(LockRow row) {
        boolean held = row.held.most() > 0;
        return new Object[] {
            row.name,
            String.join(" ", row.kinds),
            row.acquisitions,
            row.contended,
            row.failed,
            new Table.Time(row.waited),
            held ? new Table.Time(row.heldSum) : null,
            held ? new Table.Time(row.held.mean()) : null,
            held ? new Table.Time(row.held.percentile(P99)) : null,
            held ? new Table.Time(row.held.most()) : null,
            row.depths[0],
            row.depths[1],
            row.depths[2],
            row.depths[3],
            (long) row.threads.size(),
            row.unpaired + row.kept
        };
    }

    private static Object[] total(List<LockRow> all) {
        LockRow sum = new LockRow("total");
        for (LockRow row : all) {
            sum.acquisitions += row.acquisitions;
            sum.contended += row.contended;
            sum.failed += row.failed;
            sum.waited += row.waited;
            sum.heldSum += row.heldSum;
            sum.unpaired += row.unpaired;
            sum.kept += row.kept;
            sum.threads.addAll(row.threads);
            for (int i = 0; i < LockRow.DEPTHS; i++) {
                sum.depths[i] += row.depths[i];
            }
        }
        Object[] cells = cells(sum);
        cells[HEADINGS.indexOf("held")] = new Table.Time(sum.heldSum);
        return cells;
    }
}
