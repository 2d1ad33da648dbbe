package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Needs;
import dev.madt.view.toolkit.TextBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Text in the form of {@code opreport --symbols}: samples and shares per event, image and symbol,
 * most first.
 */
final class OprofileText extends Conversion {
    private final Costs costs = new Costs(false);

    OprofileText(TextBuffer text) {
        super(text);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().keeping(costs.notes());
    }

    @Override
    protected void access(Accesses batch, int row) {
        costs.of(batch.place(row), batch.object(row)).add(batch.size(row), batch.store(row));
    }

    @Override
    public void block(BlockAccess event) {}

    @Override
    void write() {
        Cost total = costs.total();
        List<Cost> rows = functions();
        rows.removeIf(cost -> cost.accesses() == 0);
        rows.sort(Comparator.comparingLong(Cost::accesses)
                .reversed()
                .thenComparing(cost -> cost.function));
        int width = rows.stream().mapToInt(cost -> image(cost).length()).max().orElse(0);
        width = Math.max(width, "image name".length());
        text.text("CPU: every access, by MadT\n")
                .text("Counted LOADS events (loads of data) with a unit mask of 0x00 (No unit"
                        + " mask) count 1\n")
                .text("Counted STORES events (stores of data) with a unit mask of 0x00 (No unit"
                        + " mask) count 1\n")
                .text(String.format(
                        "samples  %%        samples  %%        %-" + width + "s symbol name%n",
                        "image name"));
        for (Cost cost : rows) {
            text.text(column(cost.loads, total.loads))
                    .text(column(cost.stores, total.stores))
                    .text(String.format("%-" + width + "s ", image(cost)))
                    .text(oneLine(cost.function))
                    .character('\n');
        }
    }

    /** Costs without their lines. */
    private List<Cost> functions() {
        Map<String, Cost> functions = new TreeMap<>();
        for (Cost cost : costs.all()) {
            functions
                    .computeIfAbsent(
                            cost.object + '\n' + cost.function,
                            key -> new Cost(cost.object, cost.function))
                    .add(cost);
        }
        return new ArrayList<>(functions.values());
    }

    private static String image(Cost cost) {
        return bare(cost.object);
    }

    private static String column(long count, long all) {
        return String.format(
                Locale.ROOT, "%-8d %-8.4f ", count, all == 0 ? 0.0 : 100.0 * count / all);
    }
}
