package dev.madt.view.convert;

import dev.madt.trace.event.AccessKind;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Place;
import dev.madt.view.toolkit.TextBuffer;

/**
 * The lines of Valgrind's Lackey with {@code --trace-mem=yes} (lackey/lk_main.c): {@code I
 * 04001000,3} before the accesses of each instruction, then {@code L}, {@code S} or {@code M} with
 * address and size. Only instructions that access traced memory are there.
 */
final class LackeyText extends Conversion {
    private static final int WIDTH = 8;

    private final ConversionOptions options;
    private final Executions executions = new Executions();

    LackeyText(TextBuffer text, ConversionOptions options) {
        super(text);
        this.options = options;
    }

    @Override
    protected void access(Accesses batch, int row) {
        Place place = batch.place(row);
        boolean begins = executions.begins(batch, row);
        boolean modify = options.modifies() && place.kind() == AccessKind.MODIFY;
        if (modify && batch.store(row)) {
            return;
        }
        if (options.instructions() && begins) {
            line("I  ", place.address(), place.length());
        }
        line(
                modify ? " M " : batch.store(row) ? " S " : " L ",
                batch.address(row),
                batch.size(row));
    }

    @Override
    public void block(BlockAccess event) {
        if (!options.expandBlocks()) {
            return;
        }
        if (options.instructions()) {
            line("I  ", event.place().address(), 0);
        }
        Pieces.of(event, (store, address, size) -> line(store ? " S " : " L ", address, size));
    }

    private void line(String kind, long address, long size) {
        text.text(kind).hexadecimal(address, WIDTH).character(',').decimal(size).character('\n');
    }

    @Override
    void write() {}
}
