package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.toolkit.TextBuffer;

/**
 * The traditional input of Dinero III and IV ({@code -informat d}): a label (0 read, 1 write, 2
 * instruction fetch) and an address in hexadecimal; what follows on the line, here the size, is
 * ignored there.
 */
final class DineroText extends Conversion {
    private final boolean instructions;
    private final boolean blocks;
    private final Executions executions = new Executions();

    DineroText(TextBuffer text, boolean instructions, boolean blocks) {
        super(text);
        this.instructions = instructions;
        this.blocks = blocks;
    }

    @Override
    protected void access(Accesses batch, int row) {
        boolean begins = executions.begins(batch, row);
        if (instructions && begins) {
            line('2', batch.place(row).address(), batch.place(row).length());
        }
        line(batch.store(row) ? '1' : '0', batch.address(row), batch.size(row));
    }

    @Override
    public void block(BlockAccess event) {
        if (blocks) {
            Pieces.of(event, (store, address, size) -> line(store ? '1' : '0', address, size));
        }
    }

    private void line(char label, long address, long size) {
        text.character(label)
                .character(' ')
                .hexadecimal(address, 1)
                .character(' ')
                .decimal(size)
                .character('\n');
    }

    @Override
    void write() {}
}
