package dev.madt.tracker;

import dev.madt.tracker.BlockMap.Piece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The dynamic memory tracker: follows the allocation events of one process and knows for each address the block that
 * it belongs to. Blocks of an allocator may lie inside a mapping; the inner one has the address. A block that has
 * ended keeps its range until something new is placed there, so that late accesses are seen for what they are.
 *
 * <p>Successful allocations are numbered from 1 over all kinds, lines from 1 over all allocation events. All look-ups
 * take logarithmic time; memory grows with the address space in use, not with the number of events.
 */
public final class BlockTracker {
    /** Shorter remains of ended blocks are not kept: gaps between blocks, where the allocator has its own notes. */
    static final long SLIVER = 16;
    /**
     * Calls that a thread has begun and not ended, signal handlers on top of each other; older ones will never end.
     */
    static final int DEEPEST = 16;
    /** INHERIT events: the kind stands in the thread's low bits, the life above. */
    private static final int LIFE_SHIFT = 8;

    private final BlockMap heap;
    private final BlockMap mappings;
    private final BlockMap ended;
    private final IntObjectHashMap<Deque<Pending>> pending = new IntObjectHashMap<>();
    private long blocks;
    private long lines;

    /** A realloc or mremap between its two events. */
    private record Pending(long address, Block block, List<Piece> pieces) {}

    public BlockTracker() {
        this((start, end) -> {});
    }

    /** @param changes is told of every range in which addresses may belong to other blocks than before */
    public BlockTracker(RangeListener changes) {
        heap = new BlockMap(0, changes);
        mappings = new BlockMap(0, changes);
        ended = new BlockMap(SLIVER, changes);
    }

    /** The live block that holds the address, else the one that ended there last, else null. Allocates nothing. */
    public Block find(long address) {
        Block block = heap.find(address);
        if (block == null) {
            block = mappings.find(address);
        }
        return block == null ? ended.find(address) : block;
    }

    /** As above; cuts a range around the address to the addresses for which the answer is the same. */
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
    public AllocationEvent apply(RingEvent event) {
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
            case THREAD_END -> forget(event.thread());
            case REGION_MAP -> replace(event);
            case INHERIT -> inherit(event);
            default -> null;
        };
    }

    /**
     * The blocks of now as INHERIT events, from which the tracker of a fork's child begins. They keep their numbers, and the child goes
     * on counting behind them.
     */
    public List<RingEvent> inheritance() {
        List<RingEvent> events = new ArrayList<>();
        for (BlockMap map : List.of(heap, mappings, ended)) {
            for (Piece piece : map.pieces()) {
                Block block = piece.block();
                events.add(inherit(block.kind(), block.life(), block.number(), block.address(), block.size(), block.code(),
                        piece.start(), piece.end()));
            }
        }
        return events;
    }

    /** The INHERIT event of the piece [start, end) of a block. */
    static RingEvent inherit(Block.Kind kind, Block.Life life, long number, long address, long size, long code, long start, long end) {
        return new RingEvent(RingEventType.INHERIT, kind.ordinal() | life.ordinal() << LIFE_SHIFT, number, address, size, start, end, "", code);
    }

    private AllocationEvent inherit(RingEvent event) {
        Block block = inherited(event);
        if (block != null) {
            BlockMap home = !block.live() ? ended : block.kind().mapping() ? mappings : heap;
            home.put(event.old(), event.oldSize(), block);
            blocks = Math.max(blocks, block.number());
        }
        return null;
    }

    /** The block of an INHERIT event, which may have several; null if the event is malformed. */
    public static Block inherited(RingEvent event) {
        Block.Kind[] kinds = Block.Kind.values();
        Block.Life[] lives = Block.Life.values();
        int kind = event.thread() & (1 << LIFE_SHIFT) - 1;
        int life = event.thread() >>> LIFE_SHIFT;
        if (kind < kinds.length && life < lives.length && Long.compareUnsigned(event.old(), event.oldSize()) < 0) {
            return new Block(kinds[kind], event.epoch(), event.code(), event.address(), event.size(), lives[life], -1,
                    lives[life] == Block.Life.LIVE ? -1 : 0);
        }
        return null;
    }

    private AllocationEvent allocation(RingEvent event, Block.Kind kind) {
        return line(event, failed(event) ? null : birth(event, kind), null);
    }

    /** mmap gives small negative numbers as errors, the others 0. */
    static boolean failed(RingEvent event) {
        return event.address() == 0 || Long.compareUnsigned(event.address(), -SharedLayout.PAGE) >= 0;
    }

    private Block birth(RingEvent event, Block.Kind kind) {
        Block block = new Block(
                kind, ++blocks, event.code(), event.address(), event.size(), Block.Life.LIVE, event.epoch(), -1);
        long start = block.address();
        long end = end(start, block.size(), event.type());
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
     * One past the last byte; a block of no bytes has one, so that it can be found, and mappings have whole pages.
     */
    static long end(long start, long size, RingEventType type) {
        long bytes = size == 0 ? 1 : size;
        return type == RingEventType.MMAP || type == RingEventType.MREMAP_END
                ? pageEnd(start, bytes)
                : sum(start, bytes);
    }

    static long pageEnd(long address, long size) {
        long end = sum(address, size);
        long up = end + SharedLayout.PAGE - 1 & -SharedLayout.PAGE;
        return Long.compareUnsigned(up, end) < 0 ? -1 : up;
    }

    /** The sum, or the greatest address if it would be beyond. */
    static long sum(long address, long size) {
        long end = address + size;
        return Long.compareUnsigned(end, address) < 0 ? -1 : end;
    }

    /** Ends the heap block at the event's old address; if it has ended before, there are no pieces. */
    private Pending takeHeap(RingEvent event) {
        Block block = event.old() == 0 ? null : heap.startingAt(event.old());
        if (block == null) {
            return new Pending(event.old(), event.old() == 0 ? null : ended.startingAt(event.old()), List.of());
        }
        List<Piece> pieces = heap.cut(block.address(), sum(block.address(), Math.max(1, block.size())));
        return new Pending(event.old(), bury(pieces, Block.Life.FREED, event.epoch()), pieces);
    }

    /**
     * Ends the mapping in the event's old range; a range of no bytes stays: mremap then makes a second mapping of it.
     */
    private Pending takeMapping(RingEvent event) {
        if (event.oldSize() == 0) {
            return new Pending(event.old(), mappings.find(event.old()), List.of());
        }
        List<Piece> pieces = mappings.cut(event.old(), pageEnd(event.old(), event.oldSize()));
        return new Pending(event.old(), bury(pieces, Block.Life.UNMAPPED, event.epoch()), pieces);
    }

    /** Ends mappings and what lies in them; returns the first mapping, or the first block if there is none. */
    private Block unmap(RingEvent event) {
        Block mapping = takeMapping(event).block();
        if (event.oldSize() == 0) {
            return mapping;
        }
        List<Piece> inside = heap.cut(event.old(), pageEnd(event.old(), event.oldSize()));
        Block block = bury(inside, Block.Life.UNMAPPED, event.epoch());
        return mapping == null ? block : mapping;
    }

    /** Moves the pieces to the ended ones; returns the block of the first, as it is now, or null. */
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

    private AllocationEvent begin(RingEvent event, Pending taken) {
        Deque<Pending> begun = pending.getIfAbsentPut(event.thread(), ArrayDeque::new);
        begun.push(taken);
        if (begun.size() > DEEPEST) {
            begun.removeLast();
        }
        return null;
    }

    private AllocationEvent forget(int thread) {
        pending.remove(thread);
        return null;
    }

    /** New memory, whoever asked for it (libc for a thread's stack, the loader): what ended at its address is not there any more. */
    private AllocationEvent replace(RingEvent event) {
        ended.cut(event.address(), pageEnd(event.address(), event.size()));
        return null;
    }

    private AllocationEvent endRealloc(RingEvent event) {
        Pending begun = begun(event);
        Pending taken = begun == null ? takeHeap(event) : begun;
        if (!failed(event)) {
            return line(event, birth(event, Block.Kind.REALLO), taken.block());
        }
        return line(event, null, event.size() == 0 ? taken.block() : revive(taken));
    }

    private AllocationEvent endMremap(RingEvent event) {
        Pending begun = begun(event);
        Pending taken = begun == null ? takeMapping(event) : begun;
        if (!failed(event)) {
            return line(event, birth(event, Block.Kind.MREMAP), taken.block());
        }
        return line(event, null, revive(taken));
    }

    /** What the thread began last with the same address, or null. */
    private Pending begun(RingEvent event) {
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

    /** Brings back what a failed call did not end, except where something new lies by now; returns the block. */
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

    private AllocationEvent line(RingEvent event, Block block, Block old) {
        return new AllocationEvent(
                AllocationEvent.letter(event.type()),
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
