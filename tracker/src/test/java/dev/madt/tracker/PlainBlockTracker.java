package dev.madt.tracker;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockMap.Piece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * Does what {@link BlockTracker} is to do, in a plain way: three interval trees, of what lives in
 * heaps, of mappings, and of what has ended.
 */
final class PlainBlockTracker {
    private final BlockMap heap;
    private final BlockMap mappings;
    private final BlockMap ended;
    private final IntObjectHashMap<Deque<Pending>> pending = new IntObjectHashMap<>();
    private long blocks;
    private long lines;

    /** A realloc or mremap between its two events. */
    private record Pending(long address, Block block, List<Piece> pieces) {}

    PlainBlockTracker() {
        this((start, end) -> {});
    }

    /**
     * @param changes is told of every range in which addresses may belong to other blocks than
     *     before
     */
    PlainBlockTracker(RangeListener changes) {
        heap = new BlockMap(0, changes);
        mappings = new BlockMap(0, changes);
        ended = new BlockMap(BlockTracker.SLIVER, changes);
    }

    /**
     * The live block that holds the address, else the one that ended there last, else null.
     * Allocates nothing.
     */
    public Block find(long address) {
        Block block = heap.find(address);
        if (block == null) {
            block = mappings.find(address);
        }
        return block == null ? ended.find(address) : block;
    }

    /**
     * The block at an address; cuts a range around the address to the addresses that have the same
     * one.
     */
    public Block find(long address, AddressRange same) {
        Block block = heap.find(address, same);
        if (block == null) {
            block = mappings.find(address, same);
        }
        return block == null ? ended.find(address, same) : block;
    }

    /** Successful allocations so far. */
    public long blocks() {
        return blocks;
    }

    /** Applies an event; returns what its line says, or null when it has none. */
    public AllocationEvent apply(TraceEvent event) {
        if (event instanceof TraceEvent.Allocation allocation) {
            return apply(allocation);
        }
        if (event instanceof TraceEvent.ThreadEnd) {
            return forget(event.thread());
        }
        if (event instanceof TraceEvent.RegionMap region) {
            return replace(region);
        }
        if (event instanceof TraceEvent.Usable usable) {
            return reach(usable);
        }
        return event instanceof TraceEvent.Inherit block ? inherit(block) : null;
    }

    private AllocationEvent apply(TraceEvent.Allocation event) {
        return switch (event.type()) {
            case MALLOC -> allocation(event, Block.Kind.MALLOC);
            case CALLOC -> allocation(event, Block.Kind.CALLOC);
            case MMAP, BREAK -> allocation(event, Block.Kind.MEMMAP);
            case REALLOC_BEGIN -> begin(event, takeHeap(event));
            case REALLOC_END -> endRealloc(event);
            case MREMAP_BEGIN -> begin(event, takeMapping(event));
            case MREMAP_END -> endMremap(event);
            case FREE -> line(event, null, takeHeap(event).block());
            case MUNMAP -> line(event, null, unmap(event));
            default -> null;
        };
    }

    /**
     * The blocks of now as INHERIT events, from which the tracker of a fork's child begins. They
     * keep their numbers, and the child goes on counting behind them.
     */
    public List<TraceEvent> inheritance() {
        List<TraceEvent> events = new ArrayList<>();
        for (BlockMap map : List.of(heap, mappings, ended)) {
            for (Piece piece : map.pieces()) {
                Block block = piece.block();
                events.add(BulkTransfers.inherit(block, piece.start(), piece.end()));
            }
        }
        return events;
    }

    private AllocationEvent inherit(TraceEvent.Inherit event) {
        Block block = BulkTransfers.inherited(event);
        if (block != null) {
            BlockMap home = !block.live() ? ended : block.kind().mapping() ? mappings : heap;
            home.put(event.start(), event.end(), block);
            blocks = Math.max(blocks, block.number());
        }
        return null;
    }

    /** A block goes on up to where the program may use it. */
    private AllocationEvent reach(TraceEvent.Usable event) {
        AddressRange first = new AddressRange();
        Block block = heap.startingAt(event.block());
        heap.find(event.block(), first);
        long end = BulkTransfers.sum(event.block(), event.size());
        if (block != null
                && first.start() == event.block()
                && Long.compareUnsigned(end, first.end()) > 0
                && heap.isFree(first.end(), end)) {
            heap.put(first.start(), end, block);
            ended.cut(first.end(), end);
        }
        return null;
    }

    private AllocationEvent allocation(TraceEvent.Allocation event, Block.Kind kind) {
        return line(event, BulkTransfers.failed(event) ? null : birth(event, kind), null);
    }

    private Block birth(TraceEvent.Allocation event, Block.Kind kind) {
        Block block = new Block(
                kind,
                ++blocks,
                event.code(),
                event.address(),
                event.size(),
                Block.Life.LIVE,
                event.epoch(),
                -1);
        long start = block.address();
        long end = BulkTransfers.end(start, block.size(), event.type());
        if (kind.mapping()) {
            mappings.put(start, end, block);
        } else {
            heap.drop(start, end);
            heap.put(start, end, block);
        }
        if (kind == Block.Kind.MEMMAP) {
            heap.drop(start, end);
        }
        ended.cut(start, end);
        return block;
    }

    /**
     * Ends the heap block at the event's old address; if it has ended before, there are no pieces.
     */
    private Pending takeHeap(TraceEvent.Allocation event) {
        Block block = event.old() == 0 ? null : heap.startingAt(event.old());
        if (block == null) {
            return new Pending(
                    event.old(),
                    event.old() == 0 ? null : ended.startingAt(event.old()),
                    List.of());
        }
        AddressRange first = new AddressRange();
        heap.find(block.address(), first);
        long end = BulkTransfers.sum(block.address(), Math.max(1, block.size()));
        List<Piece> pieces = heap.cut(
                block.address(),
                first.start() == block.address() ? BlockMap.later(end, first.end()) : end);
        return new Pending(event.old(), bury(pieces, Block.Life.FREED, event.epoch()), pieces);
    }

    /**
     * Ends the mapping in the event's old range; a range of no bytes stays: mremap then makes a
     * second mapping of it.
     */
    private Pending takeMapping(TraceEvent.Allocation event) {
        if (event.oldSize() == 0) {
            return new Pending(event.old(), mappings.find(event.old()), List.of());
        }
        List<Piece> pieces =
                mappings.cut(event.old(), BulkTransfers.pageEnd(event.old(), event.oldSize()));
        return new Pending(event.old(), bury(pieces, Block.Life.UNMAPPED, event.epoch()), pieces);
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
        List<Piece> inside =
                heap.cut(event.old(), BulkTransfers.pageEnd(event.old(), event.oldSize()));
        Block block = bury(inside, Block.Life.UNMAPPED, event.epoch());
        return mapping == null ? block : mapping;
    }

    /**
     * Moves the pieces to the ended ones; returns the block of the first, as it is now, or null.
     */
    private Block bury(List<Piece> pieces, Block.Life how, long epoch) {
        Block first = null;
        Block live = null;
        Block dead = null;
        for (Piece piece : pieces) {
            if (piece.block() != live) {
                live = piece.block();
                dead = live.dead(how, epoch);
            }
            ended.put(piece.start(), piece.end(), dead);
            first = first == null ? dead : first;
        }
        return first;
    }

    private AllocationEvent begin(TraceEvent.Allocation event, Pending taken) {
        Deque<Pending> begun = pending.getIfAbsentPut(event.thread(), ArrayDeque::new);
        begun.push(taken);
        if (begun.size() > BegunCalls.DEEPEST) {
            begun.removeLast();
        }
        return null;
    }

    private AllocationEvent forget(int thread) {
        pending.remove(thread);
        return null;
    }

    /**
     * New memory, whoever asked for it (libc for a thread's stack, the loader): what ended at its
     * address is not there any more.
     */
    private AllocationEvent replace(TraceEvent.RegionMap event) {
        ended.cut(event.start(), BulkTransfers.pageEnd(event.start(), event.size()));
        return null;
    }

    private AllocationEvent endRealloc(TraceEvent.Allocation event) {
        Pending begun = begun(event);
        Pending taken = begun == null ? takeHeap(event) : begun;
        if (!BulkTransfers.failed(event)) {
            return line(event, birth(event, Block.Kind.REALLO), taken.block());
        }
        return line(event, null, event.size() == 0 ? taken.block() : revive(taken));
    }

    private AllocationEvent endMremap(TraceEvent.Allocation event) {
        Pending begun = begun(event);
        Pending taken = begun == null ? takeMapping(event) : begun;
        if (!BulkTransfers.failed(event)) {
            return line(event, birth(event, Block.Kind.MREMAP), taken.block());
        }
        return line(event, null, revive(taken));
    }

    /** Returns what the thread began last with the same address, or null. */
    private Pending begun(TraceEvent.Allocation event) {
        Deque<Pending> begun = pending.get(event.thread());
        if (begun == null) {
            return null;
        }
        for (Iterator<Pending> each = begun.iterator(); each.hasNext(); ) {
            Pending candidate = each.next();
            if (candidate.address() == event.old()) {
                each.remove();
                return candidate;
            }
        }
        return null;
    }

    /**
     * Brings back what a failed call did not end, except where something new lies by now; returns
     * the block.
     */
    private Block revive(Pending taken) {
        for (Piece piece : taken.pieces()) {
            BlockMap home = piece.block().kind().mapping() ? mappings : heap;
            if (home.isFree(piece.start(), piece.end())) {
                ended.cut(piece.start(), piece.end());
                home.put(piece.start(), piece.end(), piece.block());
            }
        }
        return taken.pieces().isEmpty() ? taken.block() : taken.pieces().get(0).block();
    }

    private AllocationEvent line(TraceEvent.Allocation event, Block block, Block old) {
        return new AllocationEvent(
                event.type().letter(),
                ++lines,
                block,
                old,
                block == null ? 0 : event.address(),
                event.size(),
                event.old(),
                event.oldSize(),
                event.code(),
                event.epoch());
    }

    void checkInvariants() {
        heap.checkInvariants();
        mappings.checkInvariants();
        ended.checkInvariants();
    }
}
