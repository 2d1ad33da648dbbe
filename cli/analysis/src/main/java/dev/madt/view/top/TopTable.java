package dev.madt.view.top;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The hottest rows of a moment as a table. */
public final class TopTable {
    /** Says by what rows are sorted. */
    public enum Order {
        TOTAL("all accesses"),
        RATE("accesses a second"),
        NAME("name");

        private final String words;

        Order(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }

        public Order next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    private static final double SECOND = 1e9;

    private final TopSums counted;
    private final TopSums before;
    private final TopSums now;

    /**
     * @param zero when counting began
     * @param before when the rates begin
     */
    public TopTable(TopSums zero, TopSums before, TopSums now) {
        this.counted = now.since(zero);
        this.before = before;
        this.now = now;
    }

    /** Loads and stores. */
    public long accesses() {
        return counted.accesses();
    }

    /** Loads and stores in a second. */
    public long rate() {
        return rate(now.accesses() - before.accesses());
    }

    private long rate(long accesses) {
        double seconds = (now.nanos() - before.nanos()) / SECOND;
        return seconds <= 0 ? 0 : Math.round(accesses / seconds);
    }

    /** The rows of a kind; {@code most} of them at most, 0: all. */
    public Table of(TopKind kind, Order order, int most) {
        List<TopRow> rows = new ArrayList<>(counted.of(kind));
        rows.sort(comparator(kind, order));
        boolean told = !kind.besides().isEmpty();
        List<String> headings =
                new ArrayList<>(List.of("share", "a second", "loads", "stores", kind.heading()));
        if (told) {
            headings.add(kind.besides());
        }
        Table table = new Table(kind.title(), headings)
                .spare(
                        told
                                ? List.of(kind.besides(), "stores", "loads")
                                : List.of("stores", "loads"));
        int shown = most > 0 ? Math.min(most, rows.size()) : rows.size();
        double all = Math.max(1, accesses());
        long loads = rows.stream().mapToLong(TopRow::loads).sum();
        long stores = rows.stream().mapToLong(TopRow::stores).sum();
        for (TopRow row : rows.subList(0, shown)) {
            table.row(cells(
                    told,
                    new Table.Share(row.accesses() / all),
                    rate(kind, row),
                    row.loads(),
                    row.stores(),
                    row.name(),
                    row.besides()));
        }
        table.total(cells(told, new Table.Share(1), rate(), loads, stores, "total", ""));
        return table.hidden(rows.size() - shown);
    }

    private static Object[] cells(boolean told, Object... all) {
        List<Object> cells = new ArrayList<>(List.of(all));
        if (!told) {
            cells.remove(cells.size() - 1);
        }
        return cells.toArray();
    }

    private Comparator<TopRow> comparator(TopKind kind, Order order) {
        Comparator<TopRow> hottest =
                Comparator.comparingLong(TopRow::accesses).reversed().thenComparing(TopRow::key);
        return switch (order) {
            case TOTAL -> hottest;
            case RATE ->
                Comparator.comparingLong((TopRow row) -> rate(kind, row))
                        .reversed()
                        .thenComparing(hottest);
            case NAME -> Comparator.comparing(TopRow::name).thenComparing(TopRow::key);
        };
    }

    private long rate(TopKind kind, TopRow row) {
        TopRow all = now.of(kind, row.key());
        TopRow earlier = before.of(kind, row.key());
        return rate(
                (all == null ? 0 : all.accesses()) - (earlier == null ? 0 : earlier.accesses()));
    }
}
