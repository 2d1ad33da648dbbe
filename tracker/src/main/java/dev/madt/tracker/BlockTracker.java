package dev.madt.tracker;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The dynamic memory tracker: follows the allocation events of one process and knows for each
 * address the block that it belongs to. Blocks of an allocator may lie inside a mapping; the inner
 * one has the address. A block that has ended keeps its range until something new is placed there,
 * so that late accesses are seen for what they are.
 *
 * <p>Successful allocations are numbered from 1 over all kinds, lines from 1 over all allocation
 * events. Look-ups of blocks of heaps take constant time, of mappings logarithmic time; memory
 * grows with the address space in use, not with the number of events: some 27 bytes for a block of
 * a heap and 60 for a page of them ({@link BlockTable}), more for a mapping, which has a node of a
 * red-black interval tree.
 */
public final class BlockTracker {
    /** Shorter remains of ended blocks are not kept: gaps, where the allocator has its notes. */
    static final long SLIVER = 16;

    private final BlockSites sites;
    private final BlockTable heap;
    private final NestedBlocks nested;
    private final BlockMap mappings;
    /** Holds what has ended and may lie under something that lives: mappings, mostly. */
    private final BlockMap under;

    private final BegunCalls begun;
    private final BlockKeeper keeper;
    private int bornSite;
    private long blocks;
    private long lines;

    public BlockTracker() {
        this((start, end) -> {});
    }

    /**
     * @param changes is told of every range in which addresses may belong to other blocks than
     *     before
     */
    public BlockTracker(RangeListener changes) {
        this(changes, BlockKeeper.EPOCHS);
    }

    /** @param keeper says what is remembered of blocks of heaps beside themselves */
    public BlockTracker(RangeListener changes, BlockKeeper keeper) {
        this.keeper = keeper;
        begun = new BegunCalls(keeper);
        sites = new BlockSites();
        heap = new BlockTable(sites, keeper.notes(), changes, this::lost);
        nested = new NestedBlocks(
                () -> new BlockTable(sites, keeper.notes(), changes, this::lost), keeper);
        mappings = new BlockMap(0, changes);
        under = new BlockMap(SLIVER, changes);
    }

    private BlockTracker(BlockTracker parent) {
        keeper = parent.keeper;
        begun = new BegunCalls(keeper);
        sites = parent.sites;
        heap = parent.heap.share((start, end) -> {});
        nested = parent.nested.share(
                () -> new BlockTable(sites, keeper.notes(), (start, end) -> {}, at -> {}),
                (start, end) -> {});
        mappings = new BlockMap(0, (start, end) -> {});
        under = new BlockMap(SLIVER, (start, end) -> {});
        parent.mappings
                .pieces()
                .forEach(piece -> mappings.put(piece.start(), piece.end(), piece.block()));
        parent.under
                .pieces()
                .forEach(piece -> under.put(piece.start(), piece.end(), piece.block()));
        blocks = parent.blocks;
    }

    /**
     * The tracker of a fork's child: the blocks of now. Those of heaps cost nothing until one of
     * both trackers changes. The child's next block is numbered as this tracker's would be, until
     * {@link #inherited} says otherwise.
     */
    public BlockTracker fork() {
        return new BlockTracker(this);
    }

    /** The live block that holds the address, else the one that ended there last, else null. */
    public Block find(long address) {
        return find(address, new AddressRange());
    }

    /**
     * The block at an address; cuts a range around the address to the addresses that have the same
     * one.
     */
    public Block find(long address, AddressRange same) {
        BlockTable inner = nested.find(address, same);
        if (inner != null) {
            return inner.block();
        }
        boolean found = heap.find(address, same);
        if (found && heap.live()) {
            return heap.block();
        }
        Block mapping = mappings.find(address, same);
        return mapping != null ? mapping : found ? heap.block() : under.find(address, same);
    }

    /**
     * The blocks of heaps, 25 to 36 bytes each with those that have ended, to look at; the cursor
     * is nowhere after an event.
     */
    public BlockTable heap() {
        return heap;
    }

    /**
     * The table that has the innermost block of a heap at an address, or that of the heaps if there
     * is none; cuts a range to the addresses for which that is so.
     */
    public BlockTable heapAt(long address, AddressRange same) {
        BlockTable inner = nested.find(address, same);
        return inner == null ? heap : inner;
    }

    /** The blocks of allocators by other names. */
    public NestedBlocks nested() {
        return nested;
    }

    /** The site of the heap block that was born last. */
    public int bornSite() {
        return bornSite;
    }

    /** The sites of the blocks of heaps. */
    public BlockSites sites() {
        return sites;
    }

    /** Successful allocations so far. */
    public long blocks() {
        return blocks;
    }

    /** The next block gets the number behind this one. */
    public void blocks(long counted) {
        blocks = counted;
    }

    /** Returns whether events of this type change what is known of blocks. */
    public static boolean concerns(RingEventType type) {
        return type.isAllocation()
                || NestedBlocks.concerns(type)
                || type == RingEventType.REALLOC_BEGIN
                || type == RingEventType.MREMAP_BEGIN
                || type == RingEventType.THREAD_END
                || type == RingEventType.REGION_MAP
                || type == RingEventType.INHERIT
                || type == RingEventType.USABLE;
    }

    /** Applies an event; returns what its line says, or null when it has none. */
    public AllocationEvent apply(TraceEvent event) {
        if (event instanceof TraceEvent.Allocation allocation) {
            return apply(allocation);
        }
        if (event instanceof TraceEvent.ThreadEnd) {
            begun.end(event.thread());
            return null;
        }
        if (event instanceof TraceEvent.RegionMap region) {
            return replace(region);
        }
        if (event instanceof TraceEvent.Usable usable) {
            UsableBytes.take(usable, heap, under);
            return null;
        }
        return event instanceof TraceEvent.Inherit block ? inherit(block) : null;
    }

    private AllocationEvent apply(TraceEvent.Allocation event) {
        return switch (event.type()) {
            case MALLOC -> allocation(event, Block.Kind.MALLOC);
            case CALLOC -> allocation(event, Block.Kind.CALLOC);
            case MMAP, BREAK -> allocation(event, Block.Kind.MEMMAP);
            case NAMED_ALLOC -> allocation(event, Block.Kind.NAMED);
            case GO_ALLOC -> allocation(event, Block.Kind.GO);
            case REALLOC_BEGIN, NAMED_REALLOC_BEGIN -> begin(event, takeHeap(event));
            case REALLOC_END, NAMED_REALLOC_END -> endRealloc(event);
            case MREMAP_BEGIN -> begin(event, takeMapping(event));
            case MREMAP_END -> endMremap(event);
            case FREE, NAMED_FREE -> line(event, null, free(event));
            case MUNMAP -> line(event, null, unmap(event));
            default -> null;
        };
    }

    /**
     * Applies an event as {@link #apply} does, for who does not want to know its line; this takes
     * less time.
     */
    public void follow(TraceEvent event) {
        if (!followHeap(event)) {
            apply(event);
        }
    }

    /**
     * Applies an event as {@link #apply} does, without its line, if it is what most are: a block of
     * a heap comes, or one that lives ends. Otherwise nothing happens, and false is returned.
     */
    public boolean followHeap(TraceEvent told) {
        if (!(told instanceof TraceEvent.Allocation event)) {
            return false;
        }
        switch (event.type()) {
            case MALLOC, CALLOC -> {
                if (BulkTransfers.failed(event)) {
                    return false;
                }
                bornInHeap(
                        event,
                        event.type() == RingEventType.MALLOC
                                ? Block.Kind.MALLOC
                                : Block.Kind.CALLOC);
            }
            case FREE -> {
                if (!hasInHeap(event.old())) {
                    return false;
                }
                end(event);
            }
            default -> {
                return false;
            }
        }
        lines++;
        return true;
    }

    /**
     * The blocks of now as INHERIT events, from which the tracker of a fork's child begins. They
     * keep their numbers, and the child goes on counting behind them.
     */
    public List<TraceEvent> inheritance() {
        List<TraceEvent> events = new ArrayList<>();
        long counted = blocks;
        inherited(events::add);
        blocks = counted;
        return events;
    }

    /**
     * As {@link #inheritance}, one by one; and this tracker goes on counting as one to which they
     * were applied.
     */
    public void inherited(RingEventTaker taker) {
        blocks = Inheritance.tell(heap, nested, mappings, under, taker);
    }

    private AllocationEvent inherit(TraceEvent.Inherit event) {
        Block block = BulkTransfers.inherited(event);
        if (block != null && block.kind().nested()) {
            nested.born(event, sites, block, event.start(), event.end());
            blocks = Math.max(blocks, block.number());
        } else if (block != null) {
            int site = sites.of(block.code(), block.kind(), keeper.tag(block.address()));
            Inheritance.take(event, block, site, keeper.birth(event), heap, mappings, under);
            blocks = Math.max(blocks, block.number());
        }
        return null;
    }

    private AllocationEvent allocation(TraceEvent.Allocation event, Block.Kind kind) {
        return line(event, BulkTransfers.failed(event) ? null : birth(event, kind), null);
    }

    private Block birth(TraceEvent.Allocation event, Block.Kind kind) {
        if (kind.mapping() || kind.nested()) {
            blocks++;
        } else {
            bornInHeap(event, kind);
        }
        Block block = new Block(
                kind,
                blocks,
                event.code(),
                event.address(),
                event.size(),
                Block.Life.LIVE,
                event.epoch(),
                -1);
        if (kind.nested()) {
            bornSite = nested.born(event, sites, block);
        }
        if (!kind.mapping()) {
            return block;
        }
        long start = block.address();
        long end = BulkTransfers.end(start, block.size(), event.type());
        mappings.put(start, end, block);
        if (kind == Block.Kind.MEMMAP) {
            heap.drop(start, end);
            nested.clear(start, end);
        }
        cutEnded(start, end);
        return block;
    }

    private void bornInHeap(TraceEvent.Allocation event, Block.Kind kind) {
        long start = event.address();
        long end = BulkTransfers.end(start, event.size(), event.type());
        int site = sites.of(event.code(), kind, keeper.tag(start));
        long stamp = keeper.birth(event);
        blocks++;
        if (!under.isEmpty()) {
            under.cut(start, end);
        }
        bornSite = site;
        nested.clear(start, end);
        if (!heap.replace(start, event.size(), site, blocks, stamp)) {
            if (heap.overlap(start, end)) {
                heap.drop(start, end);
            }
            heap.add(
                    new BlockPiece(start, end, start, event.size(), site, blocks, stamp, 0, false));
        }
    }

    private void lost(BlockTable at) {
        keeper.lost(at.site(), at.blockSize(), at.note());
    }

    private void cutEnded(long start, long end) {
        heap.clear(start, end, false);
        nested.clearEnded(start, end);
        if (!under.isEmpty()) {
            under.cut(start, end);
        }
    }

    /**
     * Returns whether a block lives that starts at this address and still has its first byte; the
     * heap's cursor is there.
     */
    public boolean hasInHeap(long address) {
        return address != 0 && heap.find(address) && heap.live() && heap.address() == address;
    }

    private Block free(TraceEvent.Allocation event) {
        boolean inHeap = !nested.hasEnded(event) && hasInHeap(event.old());
        BlockTable inner = nested.at(event, inHeap);
        if (inner != null) {
            return nested.end(inner, event);
        }
        if (!inHeap) {
            return nested.noted(event, endedAt(event.old(), event));
        }
        Block block = heap.block().dead(Block.Life.FREED, event.epoch());
        end(event);
        return block;
    }

    /** Ends the block at the heap's cursor. */
    private void end(TraceEvent.Allocation event) {
        if (!heap.told()) {
            keeper.ended(heap.site(), heap.blockSize(), heap.stamp(), heap.note());
        }
        long start = heap.address();
        long end = UsableBytes.end(heap);
        nested.end(start, end, Block.Life.FREED);
        if (heap.start() == start
                && heap.end() == end
                && heap.endHere(Block.Life.FREED, keeper.end(event))) {
            if (!under.isEmpty()) {
                under.cut(start, end);
            }
        } else {
            endParts(start, end, Block.Life.FREED, heap.number(), keeper.end(event));
        }
    }

    private List<BlockPiece> endParts(
            long start, long end, Block.Life how, long number, long stamp) {
        List<BlockPiece> parts = new ArrayList<>(1);
        nested.end(start, end, how);
        heap.end(start, end, how, number, stamp, parts);
        if (!under.isEmpty()) {
            parts.forEach(part -> under.cut(part.start(), part.end()));
        }
        return parts;
    }

    /**
     * The block that has ended at this address; {@code told}: the event that says so if none has
     * before, or null.
     */
    private Block endedAt(long address, TraceEvent.Allocation told) {
        Block block = nested.endedAt(address, told);
        if (block != null) {
            return block;
        }
        if (address != 0 && heap.find(address)) {
            block = heap.live() ? null : heap.block();
            if (told != null && heap.start() == address && heap.endedUntold()) {
                heap.tell(told, keeper);
            }
        }
        if (address != 0 && block == null) {
            block = under.find(address);
        }
        return block != null && block.address() == address ? block : null;
    }

    /**
     * Ends the heap block at the event's old address; if it has ended before, there are no parts.
     */
    private BegunCalls.Call takeHeap(TraceEvent.Allocation event) {
        boolean inHeap = !nested.hasEnded(event) && hasInHeap(event.old());
        BlockTable inner = nested.at(event, inHeap);
        if (inner != null) {
            return nested.begin(inner, event);
        }
        if (!inHeap) {
            Block ended = nested.noted(event, endedAt(event.old(), null));
            return new BegunCalls.Call(event.old(), ended, List.of());
        }
        Block block = heap.block().dead(Block.Life.FREED, event.epoch());
        List<BlockPiece> parts = endParts(
                block.address(),
                UsableBytes.end(heap),
                Block.Life.FREED,
                block.number(),
                keeper.end(event));
        return new BegunCalls.Call(event.old(), block, parts);
    }

    /**
     * Ends the mapping in the event's old range; a range of no bytes stays: mremap then makes a
     * second mapping of it.
     */
    private BegunCalls.Call takeMapping(TraceEvent.Allocation event) {
        if (event.oldSize() == 0) {
            return new BegunCalls.Call(event.old(), mappings.find(event.old()), List.of());
        }
        List<BlockMap.Piece> pieces =
                mappings.cut(event.old(), BulkTransfers.pageEnd(event.old(), event.oldSize()));
        return new BegunCalls.Call(
                event.old(), bury(pieces, event.epoch()), List.of(), pieces, false);
    }

    /**
     * Ends mappings and what lies in them; returns the first mapping, or the first block if there
     * is none.
     */
    private Block unmap(TraceEvent.Allocation event) {
        Block mapping = takeMapping(event).block();
        if (event.oldSize() == 0) {
            return mapping;
        }
        long end = BulkTransfers.pageEnd(event.old(), event.oldSize());
        BlockPiece first = null;
        if (mapping == null && heap.overlap(event.old(), end, true)) {
            long stop = BlockMap.earlier(end, heap.end());
            first = endParts(
                            event.old(),
                            stop,
                            Block.Life.UNMAPPED,
                            heap.number(),
                            keeper.end(event))
                    .get(0);
            heap.tell(first, event, keeper);
        }
        endParts(event.old(), end, Block.Life.UNMAPPED, -1, -1);
        return first == null ? mapping : heap.block(first).dead(Block.Life.UNMAPPED, event.epoch());
    }

    /**
     * Moves the pieces of mappings to the ended ones; returns the block of the first, as it is now,
     * or null.
     */
    private Block bury(List<BlockMap.Piece> pieces, long epoch) {
        Block first = null;
        Block live = null;
        Block dead = null;
        for (BlockMap.Piece piece : pieces) {
            if (piece.block() != live) {
                live = piece.block();
                dead = live.dead(Block.Life.UNMAPPED, epoch);
            }
            heap.clear(piece.start(), piece.end(), false);
            under.put(piece.start(), piece.end(), dead);
            first = first == null ? dead : first;
        }
        return first;
    }

    private AllocationEvent begin(TraceEvent.Allocation event, BegunCalls.Call taken) {
        begun.begin(event.thread(), taken);
        return null;
    }

    /** Tells the keeper, as if they were lost, of all blocks of heaps that no event has ended. */
    public void loseAll() {
        for (boolean more = heap.first(); more; more = heap.next()) {
            if (heap.untold()) {
                lost(heap);
            }
        }
        nested.forEachUntold(this::lost);
        begun.end();
    }

    /**
     * New memory, whoever asked for it (libc for a thread's stack, the loader): what ended at its
     * address is not there any more.
     */
    private AllocationEvent replace(TraceEvent.RegionMap event) {
        long end = BulkTransfers.pageEnd(event.start(), event.size());
        if ((event.flags() & SharedLayout.MAP_OF_THREAD) != 0) {
            mappings.cut(event.start(), end); // its call of mmap may have looked like the program's
        }
        cutEnded(event.start(), end);
        return null;
    }

    private AllocationEvent endRealloc(TraceEvent.Allocation event) {
        BegunCalls.Call call = begun.take(event.thread(), event.old());
        BegunCalls.Call taken = call == null ? takeHeap(event) : call;
        boolean failed = BulkTransfers.failed(event);
        if (taken.parts().isEmpty()) {
            endedAt(event.old(), event);
        }
        if (failed && event.size() != 0) {
            return line(event, null, revive(taken));
        }
        if (taken.nested()) {
            nested.end(taken, event);
        } else if (!taken.parts().isEmpty()) {
            heap.tell(taken.parts().get(0), event, keeper);
        }
        boolean named = NestedBlocks.concerns(event.type());
        Block.Kind kind = named ? Block.Kind.NAMED : Block.Kind.REALLO;
        return line(event, failed ? null : birth(event, kind), taken.block());
    }

    private AllocationEvent endMremap(TraceEvent.Allocation event) {
        BegunCalls.Call call = begun.take(event.thread(), event.old());
        BegunCalls.Call taken = call == null ? takeMapping(event) : call;
        if (!BulkTransfers.failed(event)) {
            return line(event, birth(event, Block.Kind.MREMAP), taken.block());
        }
        return line(event, null, revive(taken));
    }

    /**
     * Brings back what a failed call did not end, except where something new lies by now; returns
     * the block.
     */
    private Block revive(BegunCalls.Call taken) {
        for (BlockMap.Piece piece : taken.pieces()) {
            if (mappings.isFree(piece.start(), piece.end())) {
                cutEnded(piece.start(), piece.end());
                mappings.put(piece.start(), piece.end(), piece.block());
            }
        }
        for (BlockPiece part : taken.parts()) {
            if (taken.nested()) {
                nested.add(part);
            } else if (!heap.overlap(part.start(), part.end(), true)) {
                cutEnded(part.start(), part.end());
                heap.add(part);
            }
        }
        if (!taken.pieces().isEmpty()) {
            return taken.pieces().get(0).block();
        }
        return taken.parts().isEmpty()
                ? taken.block()
                : heap.block(taken.parts().get(0));
    }

    private AllocationEvent line(TraceEvent.Allocation event, Block block, Block old) {
        return AllocationEvent.of(event, ++lines, block, old);
    }

    void checkInvariants() {
        heap.checkInvariants();
        nested.checkInvariants();
        mappings.checkInvariants();
        under.checkInvariants();
    }
}
