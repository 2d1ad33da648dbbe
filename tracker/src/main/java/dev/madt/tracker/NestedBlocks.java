package dev.madt.tracker;

import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * The blocks that allocators by other names have cut from blocks of heaps, from mappings, from
 * variables, or from each other. A block that lies in another one of these is in the table of the
 * next level. Where blocks of several levels hold an address, it belongs to the innermost, also
 * after its end: what is cut from a block is cut from a part that nobody else has. Blocks of Go's
 * allocator never lie in each other: where one comes, others have ended. Not for use by several
 * threads.
 */
public final class NestedBlocks {
    /** Levels; what lies deeper takes the place of the block that it lies in. */
    private static final int MOST = 4;

    private final Supplier<BlockTable> maker;
    private final BlockKeeper keeper;
    /** The outermost first. */
    private final List<BlockTable> levels = new ArrayList<>(0);

    private BlockPools pools = new BlockPools();
    private long unknown;

    /** @param maker of an empty table */
    NestedBlocks(Supplier<BlockTable> maker, BlockKeeper keeper) {
        this.maker = maker;
        this.keeper = keeper;
    }

    /** Other blocks, which are these at first. */
    NestedBlocks share(Supplier<BlockTable> makerOfOther, RangeListener changes) {
        NestedBlocks other = new NestedBlocks(makerOfOther, keeper);
        levels.forEach(level -> other.levels.add(level.share(changes)));
        other.pools = new BlockPools(pools);
        return other;
    }

    /** Returns whether an event of this type is one of an allocator by another name. */
    static boolean concerns(RingEventType type) {
        return switch (type) {
            case NAMED_ALLOC, NAMED_FREE, NAMED_REALLOC_BEGIN, NAMED_REALLOC_END -> true;
            default -> false;
        };
    }

    public boolean isEmpty() {
        return levels.isEmpty();
    }

    /** Number of pieces. */
    long size() {
        long size = 0;
        for (BlockTable level : levels) {
            size += level.size();
        }
        return size;
    }

    /** The table of the innermost block at an address, with its cursor there; null: none has it. */
    public BlockTable find(long address) {
        for (int i = levels.size() - 1; i >= 0; i--) {
            if (levels.get(i).find(address)) {
                return levels.get(i);
            }
        }
        return null;
    }

    /** As {@link #find}; cuts the range to the addresses for which the answer is the same. */
    public BlockTable find(long address, AddressRange same) {
        for (int i = levels.size() - 1; i >= 0; i--) {
            if (levels.get(i).find(address, same)) {
                return levels.get(i);
            }
        }
        return null;
    }

    /** The innermost block at an address, or null; cuts the range as {@link #find} does. */
    public Block block(long address, AddressRange same) {
        BlockTable level = find(address, same);
        return level == null ? null : level.block();
    }

    /**
     * The table of the innermost block that lives and begins where the event ends one; null: there
     * is none. What the C library ends is a block of a heap, if one begins there, whatever was cut
     * from it.
     */
    BlockTable at(TraceEvent.Allocation event, boolean inHeap) {
        if (levels.isEmpty() || inHeap && !concerns(event.type())) {
            return null;
        }
        for (int i = levels.size() - 1; i >= 0; i--) {
            BlockTable level = levels.get(i);
            if (level.find(event.old()) && level.live() && level.address() == event.old()) {
                return level;
            }
        }
        return null;
    }

    /**
     * The block that has ended at an address, its first; null: there is none. If it ended with
     * another one, {@code told} is the event that now says so of itself.
     */
    Block endedAt(long address, TraceEvent.Allocation told) {
        BlockTable level = levels.isEmpty() ? null : find(address);
        if (level == null || level.live() || level.address() != address) {
            return null;
        }
        Block block = level.block();
        if (told == null || !level.endedUntold()) {
            return block;
        }
        level.tell(told, keeper);
        return block.dead(Block.Life.FREED, told.epoch());
    }

    /** Returns whether an allocator ends what has ended: no block of a heap that lies there too. */
    boolean hasEnded(TraceEvent.Allocation event) {
        return concerns(event.type()) && endedAt(event.old(), null) != null;
    }

    /**
     * Takes the addresses of the blocks that end with a pool: those in it that nobody has ended,
     * and those in these.
     */
    public long[] takePool(long pool) {
        return pools.take(pool);
    }

    /**
     * Takes the addresses of the blocks that live and were cut from what a FREE or MUNMAP is about
     * to end, the outermost first, and of those in pools that are these.
     */
    public long[] takeCutFrom(TraceEvent.Allocation event, BlockTable heap) {
        long start = event.old();
        if (event.type() == RingEventType.MUNMAP) {
            return takeIn(start, BulkTransfers.pageEnd(start, event.oldSize()));
        }
        return heap.find(start) && heap.live() && heap.address() == start
                ? takeIn(start, BulkTransfers.sum(start, heap.blockSize()))
                : new long[0];
    }

    private long[] takeIn(long start, long end) {
        LongArrayList taken = new LongArrayList();
        for (BlockTable level : levels) {
            boolean found = level.overlap(start, end, true);
            while (found) {
                long address = level.address();
                if (level.start() == address && Long.compareUnsigned(address, start) >= 0) {
                    taken.add(address);
                }
                found = level.nextIn(end);
            }
        }
        long[] all = taken.toArray();
        for (long block : all) {
            pools.end(block);
        }
        for (long block : all) {
            taken.addAll(pools.take(block));
        }
        return taken.toArray();
    }

    /** Returns how often an allocator ended what it is not known to have allocated. */
    public long unknownEnds() {
        return unknown;
    }

    /** Returns the block that an event has found ended, and counts an allocator's that none was. */
    Block noted(TraceEvent.Allocation event, Block ended) {
        unknown += ended == null && concerns(event.type()) ? 1 : 0;
        return ended;
    }

    /** An allocator gives a block; returns its site. */
    int born(TraceEvent.Allocation event, BlockSites sites, Block block) {
        long start = block.address();
        if (event.type() == RingEventType.NAMED_ALLOC) {
            pools.begin(start, event.pool());
        }
        return born(
                event, sites, block, start, BulkTransfers.sum(start, Math.max(1, block.size())));
    }

    /** The same of a piece of a block. */
    int born(TraceEvent event, BlockSites sites, Block block, long start, long end) {
        int site = sites.of(block.code(), block.kind(), keeper.tag(start));
        long birth = keeper.birth(event);
        BlockPiece piece = new BlockPiece(
                start, end, block.address(), block.size(), site, block.number(), birth, 0, false);
        if (block.kind() == Block.Kind.GO) {
            addOfGo(piece);
        } else {
            add(piece);
        }
        return site;
    }

    /** A block of Go's comes: what lay there has ended before, and no event has said so. */
    private void addOfGo(BlockPiece piece) {
        if (levels.isEmpty()) {
            levels.add(maker.get());
        }
        for (BlockTable level : levels) {
            while (level.overlap(piece.start(), piece.end())) {
                if (level.untold()) {
                    keeper.replaced(level.site(), level.blockSize(), level.stamp(), level.note());
                }
                level.dropHere();
            }
        }
        levels.get(0).add(piece);
    }

    /** A block comes. */
    void add(BlockPiece piece) {
        int at = 0;
        while (at < levels.size() && at < MOST - 1 && holds(levels.get(at), piece)) {
            at++;
        }
        if (at == levels.size()) {
            levels.add(maker.get());
        }
        BlockTable level = levels.get(at);
        clear(at + 1, piece.start(), piece.end());
        boolean whole = piece.start() == piece.address() && piece.note() == 0 && !piece.told();
        if (!whole
                || !level.replace(
                        piece.start(), piece.size(), piece.site(), piece.number(), piece.stamp())) {
            level.drop(piece.start(), piece.end());
            level.add(piece);
        }
    }

    private static boolean holds(BlockTable level, BlockPiece piece) {
        return level.find(piece.start())
                && level.live()
                && level.start() != piece.start()
                && Long.compareUnsigned(piece.end(), level.end()) <= 0;
    }

    /** Something else lies in [start, end) from now on. */
    void clear(long start, long end) {
        clear(0, start, end);
    }

    private void clear(int from, long start, long end) {
        for (int i = from; i < levels.size(); i++) {
            levels.get(i).drop(start, end);
            levels.get(i).clear(start, end, false);
        }
    }

    /** Forgets what has ended in [start, end). */
    void clearEnded(long start, long end) {
        for (BlockTable level : levels) {
            level.clear(start, end, false);
        }
    }

    /** The memory in [start, end) ends, and all blocks in it, though no event of theirs says so. */
    void end(long start, long end, Block.Life how) {
        end(0, start, end, how);
    }

    private void end(int from, long start, long end, Block.Life how) {
        for (int i = from; i < levels.size(); i++) {
            levels.get(i).end(start, end, how, -1, -1, null);
        }
    }

    /** An event ends the block at the cursor of a level; returns the block. */
    Block end(BlockTable level, TraceEvent.Allocation event) {
        BegunCalls.Call taken = begin(level, event);
        pools.end(event.old());
        tell(taken);
        return taken.block();
    }

    /** The same of a call that changes the block, and may fail. */
    BegunCalls.Call begin(BlockTable level, TraceEvent.Allocation event) {
        long start = level.address();
        long end = BulkTransfers.sum(start, Math.max(1, level.blockSize()));
        Block block = level.block().dead(Block.Life.FREED, event.epoch());
        List<BlockPiece> parts = new ArrayList<>(1);
        end(levels.indexOf(level) + 1, start, end, Block.Life.FREED);
        level.end(start, end, Block.Life.FREED, level.number(), keeper.end(event), parts);
        return new BegunCalls.Call(event.old(), block, parts, List.of(), true);
    }

    /** Such a call has ended, and its block has another place. */
    void end(BegunCalls.Call taken, TraceEvent.Allocation event) {
        pools.move(taken.address(), event.address());
        tell(taken);
    }

    private void tell(BegunCalls.Call taken) {
        BlockPiece first = taken.parts().get(0);
        if (!first.told()) {
            keeper.ended(first.site(), first.size(), first.stamp(), first.note());
        }
    }

    /** Tells of all that lives, the outermost first. */
    public void inherited(RingEventTaker taker) {
        levels.forEach(level -> level.tell(true, taker));
    }

    /** Gives all blocks that no event has ended to somebody. */
    void forEachUntold(Consumer<BlockTable> consumer) {
        for (BlockTable level : levels) {
            for (boolean more = level.first(); more; more = level.next()) {
                if (level.untold()) {
                    consumer.accept(level);
                }
            }
        }
    }

    void checkInvariants() {
        levels.forEach(BlockTable::checkInvariants);
    }
}
