package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.Needs;
import dev.madt.view.toolkit.TextBuffer;

/**
 * A profile in the format of Callgrind (Valgrind manual, "Callgrind Format Specification"): loads,
 * stores and their bytes, bulk transfers and theirs, per function and, where known, source line.
 * The object is the function's module or, when asked, what it accessed: a variable or the blocks of
 * one allocation site.
 */
final class CallgrindProfile extends Conversion {
    private final Costs costs;
    private int traces;

    /** @param traces how many it is of; it is written at the end of the last one */
    CallgrindProfile(TextBuffer text, boolean byData, int traces) {
        super(text);
        this.traces = traces;
        this.costs = new Costs(byData);
    }

    @Override
    public Needs needs() {
        CostCounter counter = new CostCounter(costs);
        return Needs.BATCHES
                .bySite()
                .living(BlockLives.UNHEEDED)
                .counting(counter)
                .keeping(costs.notes())
                .keeping(counter.notes());
    }

    @Override
    protected void access(Accesses batch, int row) {
        costs.of(batch.place(row), batch.object(row)).add(batch.size(row), batch.store(row));
    }

    @Override
    public void block(BlockAccess event) {
        Cost cost = costs.of(event.place(), event.target());
        cost.blocks++;
        cost.blockBytes += event.length();
    }

    @Override
    void write() {
        traces--;
        if (traces > 0) {
            return;
        }
        text.text("# callgrind format\nversion: 1\ncreator: madt\npid: ")
                .text(meta("pid"))
                .text("\ncmd: ")
                .text(oneLine(meta("command")))
                .text("\npart: 1\n\n")
                .text("event: Loads : loads\n"
                        + "event: Stores : stores\n"
                        + "event: Bytes : bytes of loads and stores\n")
                .text("event: Blocks : bulk transfers\n"
                        + "event: BlockBytes : bytes of bulk transfers\n")
                .text("positions: line\nevents: Loads Stores Bytes Blocks BlockBytes\nsummary:");
        numbers(costs.total());
        Cost before = null;
        for (Cost cost : costs.all()) {
            heading(before, cost);
            text.decimal(cost.line);
            numbers(cost);
            before = cost;
        }
        text.text("\ntotals:");
        numbers(costs.total());
    }

    /** Writes what has changed since the line before: object, function, file. */
    private void heading(Cost before, Cost cost) {
        boolean object = before == null || !before.object.equals(cost.object);
        boolean function = object
                || !before.function.equals(cost.function)
                || !before.functionFile.equals(cost.functionFile);
        if (object) {
            text.text("\nob=").text(name(bare(cost.object))).character('\n');
        }
        if (function) {
            text.text("fl=")
                    .text(name(cost.functionFile))
                    .text("\nfn=")
                    .text(name(cost.function))
                    .character('\n');
        }
        String file = function ? cost.functionFile : before.file;
        if (!cost.file.equals(file)) {
            text.text(cost.file.equals(cost.functionFile) ? "fe=" : "fi=")
                    .text(name(cost.file))
                    .character('\n');
        }
    }

    /** Numbers in parentheses in front of a name would be its abbreviation. */
    private static String name(String name) {
        String line = oneLine(name);
        return line.matches("\\(\\d+\\).*") ? "\\x28" + line.substring(1) : line;
    }

    private void numbers(Cost cost) {
        text.character(' ')
                .decimal(cost.loads)
                .character(' ')
                .decimal(cost.stores)
                .character(' ')
                .decimal(cost.bytes)
                .character(' ')
                .decimal(cost.blocks)
                .character(' ')
                .decimal(cost.blockBytes)
                .character('\n');
    }
}
