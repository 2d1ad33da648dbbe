package dev.madt.view.report;

import dev.madt.view.DataObject;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * Blocks that nobody accesses while they live. All are counted, and of the first ones it is kept
 * which they are.
 */
final class UntouchedBlocks {
    /** Enough to find a waste by. */
    private static final int MOST = 10_000;

    private record Block(
            long number, String name, long size, String region, String type, String source) {}

    /**
     * Blocks by their numbers; a mapping of which a part is gone may be another data object, and
     * live on.
     */
    private final LongObjectHashMap<DataObject> live = new LongObjectHashMap<>();

    private final LongHashSet ended = new LongHashSet();
    private final List<Block> blocks = new ArrayList<>();
    private long count;
    private long bytes;

    /** A block that nobody has accessed is alive. */
    void born(DataObject block) {
        live.put(block.block().number(), block);
    }

    /** A data object is accessed for the first time. */
    void touch(DataObject object) {
        if (object.block() == null || object.dead()) {
            return;
        }
        long number = object.block().number();
        if (live.remove(number) == null && ended.remove(number)) {
            count--;
            bytes -= object.block().size();
            blocks.removeIf(block -> block.number() == number);
        }
    }

    /** A block, or a part of it, has ended. */
    void end(DataObject block) {
        DataObject born = live.remove(block.block().number());
        if (born != null) {
            ended.add(block.block().number());
            note(born);
        }
    }

    /** There is no further event of a process. */
    void endAll() {
        live.forEachValue(this::note);
        live.clear();
        ended.clear();
    }

    private void note(DataObject block) {
        count++;
        bytes += block.block().size();
        if (blocks.size() < MOST) {
            Tally described = new Tally(block.shownName());
            described.describe(block);
            blocks.add(new Block(
                    block.block().number(),
                    block.shownName(),
                    block.block().size(),
                    block.region(),
                    described.type(),
                    described.source()));
        }
    }

    long count() {
        return count;
    }

    /** Bytes that were asked for. */
    long bytes() {
        return bytes;
    }

    /**
     * The largest of those that are kept.
     *
     * @param top rows at most; 0: all
     */
    Table table(int top) {
        Table table =
                new Table("untouched", List.of("bytes", "block", "region", "type", "allocated at"));
        List<Block> sorted = new ArrayList<>(blocks);
        sorted.sort(
                Comparator.comparingLong(Block::size).reversed().thenComparingLong(Block::number));
        sorted.stream()
                .limit(top > 0 ? top : Long.MAX_VALUE)
                .forEach(block -> table.row(
                        block.size(), block.name(), block.region(), block.type(), block.source()));
        return table.hidden(
                (int) Math.min(Integer.MAX_VALUE, count - table.rows().size()));
    }
}
