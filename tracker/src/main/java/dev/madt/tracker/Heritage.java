package dev.madt.tracker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The blocks of a process as the child of a fork inherits them: what a {@link BlockTracker} that has been given the same events would tell,
 * kept so that an event costs little, since most processes never fork. Each piece of a block has a row of numbers; nothing is allocated for an
 * allocation or its end.
 *
 * <pre>
 *   rows   | number, life, kind | code | address | size | ...      the row of a piece that is gone leads to the next such row
 * </pre>
 */
public final class Heritage {
    private static final int ROW = 4;
    private static final int CODE = 1;
    private static final int ADDRESS = 2;
    private static final int SIZE = 3;
    private static final int KIND_BITS = 4;
    private static final int LIFE_BITS = 4;
    private static final int NUMBER_SHIFT = KIND_BITS + LIFE_BITS;
    private static final int MASK = (1 << KIND_BITS) - 1;

    private static final Block.Kind[] KINDS = Block.Kind.values();
    private static final Block.Life[] LIVES = Block.Life.values();

    private final PieceLeaves heap = new PieceLeaves();
    private final PieceLeaves mappings = new PieceLeaves();
    private final PieceLeaves ended = new PieceLeaves();
    private final IntObjectHashMap<Deque<Taken>> begun = new IntObjectHashMap<>();
    private long[] rows = new long[ROW << 8];
    private int rowsUsed;
    private int freeRow = -1;
    private long blocks;

    /** What a realloc or mremap has ended at an address, as pieces that can come back. */
    private static final class Taken {
        private final long address;
        /** For each piece: start, end, and its row while it lived. */
        private long[] pieces = {};

        private Taken(long address) {
            this.address = address;
        }

        private void add(long start, long end, long[] rows, int row) {
            int at = pieces.length;
            pieces = Arrays.copyOf(pieces, at + 2 + ROW);
            pieces[at] = start;
            pieces[at + 1] = end;
            System.arraycopy(rows, row, pieces, at + 2, ROW);
        }
    }

    /** Applies an event; one that concerns no block is passed over. */
    public void apply(RingEvent event) {
        switch (event.type()) {
            case MALLOC -> allocate(event, Block.Kind.MALLOC);
            case CALLOC -> allocate(event, Block.Kind.CALLOC);
            case MMAP, BREAK -> allocate(event, Block.Kind.MEMMAP);
            case FREE -> endHeap(event.old(), null);
            case MUNMAP -> unmap(event);
            case REALLOC_BEGIN, MREMAP_BEGIN -> begin(event);
            case REALLOC_END -> end(event, Block.Kind.REALLO, event.size() != 0);
            case MREMAP_END -> end(event, Block.Kind.MREMAP, true);
            case THREAD_END -> begun.remove(event.thread());
            case REGION_MAP -> clear(ended, event.address(), BlockTracker.pageEnd(event.address(), event.size()));
            case INHERIT -> inherit(event);
            default -> { }
        }
    }

    /** The blocks of now as INHERIT events, in the order in which {@link BlockTracker#inheritance} tells them. */
    public List<RingEvent> inheritance() {
        List<RingEvent> events = new ArrayList<>();
        for (PieceLeaves map : List.of(heap, mappings, ended)) {
            map.forEach((start, end, row) -> events.add(BlockTracker.inherit(KINDS[kind(row)], LIVES[(int) rows[row] >>> KIND_BITS & MASK],
                    rows[row] >>> NUMBER_SHIFT, rows[row + ADDRESS], rows[row + SIZE], rows[row + CODE], start, end)));
        }
        return events;
    }

    private void allocate(RingEvent event, Block.Kind kind) {
        if (BlockTracker.failed(event)) {
            return;
        }
        int row = newRow(++blocks << NUMBER_SHIFT | kind.ordinal(), event.code(), event.address(), event.size());
        long start = event.address();
        long end = BlockTracker.end(start, event.size(), event.type());
        if (!kind.mapping() || kind == Block.Kind.MEMMAP) {
            drop(start, end);
        }
        put(kind.mapping() ? mappings : heap, start, end, row);
        clear(ended, start, end);
    }

    /** Ends the heap block that starts at an address and still has its first byte. */
    private void endHeap(long address, Taken taken) {
        int row = address == 0 ? -1 : heap.row(address);
        if (row >= 0 && rows[row + ADDRESS] == address) {
            bury(heap, address, BlockTracker.sum(address, Math.max(1, rows[row + SIZE])), Block.Life.FREED, taken);
        }
    }

    private void endMapping(RingEvent event, Taken taken) {
        if (event.oldSize() != 0) {
            bury(mappings, event.old(), BlockTracker.pageEnd(event.old(), event.oldSize()), Block.Life.UNMAPPED, taken);
        }
    }

    /** Ends mappings and what lies in them. */
    private void unmap(RingEvent event) {
        endMapping(event, null);
        if (event.oldSize() != 0) {
            bury(heap, event.old(), BlockTracker.pageEnd(event.old(), event.oldSize()), Block.Life.UNMAPPED, null);
        }
    }

    private void begin(RingEvent event) {
        Deque<Taken> ofThread = begun.getIfAbsentPut(event.thread(), ArrayDeque::new);
        ofThread.push(take(event, event.type() == RingEventType.REALLOC_BEGIN));
        if (ofThread.size() > BlockTracker.DEEPEST) {
            ofThread.removeLast();
        }
    }

    private Taken take(RingEvent event, boolean ofHeap) {
        Taken taken = new Taken(event.old());
        if (ofHeap) {
            endHeap(event.old(), taken);
        } else {
            endMapping(event, taken);
        }
        return taken;
    }

    private void end(RingEvent event, Block.Kind kind, boolean revives) {
        Taken taken = begun(event);
        if (taken == null) {
            taken = take(event, kind == Block.Kind.REALLO);
        }
        if (!BlockTracker.failed(event)) {
            allocate(event, kind);
        } else if (revives) {
            revive(taken);
        }
    }

    /** What the thread began last with the same address, or null. */
    private Taken begun(RingEvent event) {
        Deque<Taken> ofThread = begun.get(event.thread());
        if (ofThread == null) {
            return null;
        }
        for (Iterator<Taken> each = ofThread.iterator(); each.hasNext();) {
            Taken candidate = each.next();
            if (candidate.address == event.old()) {
                each.remove();
                return candidate;
            }
        }
        return null;
    }

    /** Brings back what a failed call did not end, except where something new lies by now. */
    private void revive(Taken taken) {
        long[] pieces = taken.pieces;
        for (int at = 0; at < pieces.length; at += 2 + ROW) {
            PieceLeaves home = KINDS[(int) pieces[at + 2] & MASK].mapping() ? mappings : heap;
            if (home.isFree(pieces[at], pieces[at + 1])) {
                clear(ended, pieces[at], pieces[at + 1]);
                home.insert(pieces[at], pieces[at + 1],
                        newRow(pieces[at + 2], pieces[at + 2 + CODE], pieces[at + 2 + ADDRESS], pieces[at + 2 + SIZE]));
            }
        }
    }

    private void inherit(RingEvent event) {
        Block block = BlockTracker.inherited(event);
        if (block != null) {
            int row = newRow(block.number() << NUMBER_SHIFT | (long) block.life().ordinal() << KIND_BITS | block.kind().ordinal(),
                    block.code(), block.address(), block.size());
            put(!block.live() ? ended : block.kind().mapping() ? mappings : heap, event.old(), event.oldSize(), row);
            blocks = Math.max(blocks, block.number());
        }
    }

    /** Moves what lies in [start, end) to the ended pieces; notes what it was in {@code taken}, unless that is null. */
    private void bury(PieceLeaves from, long start, long end, Block.Life how, Taken taken) {
        while (!from.isFree(start, end)) {
            long pieceStart = from.firstStart(start);
            long pieceEnd = from.end(pieceStart);
            int row = from.remove(pieceStart, pieceEnd);
            long low = BlockMap.later(pieceStart, start);
            long high = BlockMap.earlier(pieceEnd, end);
            leave(from, pieceStart, low, row);
            leave(from, high, pieceEnd, row);
            if (taken != null) {
                taken.add(low, high, rows, row);
            }
            rows[row] = rows[row] & ~((long) MASK << KIND_BITS) | (long) how.ordinal() << KIND_BITS;
            put(ended, low, high, row);
        }
    }

    /** Adds a piece in place of all that was there. */
    private void put(PieceLeaves map, long start, long end, int row) {
        clear(map, start, end);
        map.insert(start, end, row);
    }

    /** Takes out what lies in [start, end); the rest of the pieces stays. */
    private void clear(PieceLeaves map, long start, long end) {
        while (!map.isFree(start, end)) {
            long pieceStart = map.firstStart(start);
            long pieceEnd = map.end(pieceStart);
            int row = map.remove(pieceStart, pieceEnd);
            leave(map, pieceStart, BlockMap.later(pieceStart, start), row);
            leave(map, BlockMap.earlier(pieceEnd, end), pieceEnd, row);
            forget(row);
        }
    }

    /** What is left of a piece on one side of a cut. */
    private void leave(PieceLeaves map, long start, long end, int row) {
        if (start != end && (map != ended || Long.compareUnsigned(end - start, BlockTracker.SLIVER) >= 0)) {
            map.insert(start, end, newRow(rows[row], rows[row + CODE], rows[row + ADDRESS], rows[row + SIZE]));
        }
    }

    /** Takes out every piece of the heap that overlaps [start, end), whole. */
    private void drop(long start, long end) {
        while (!heap.isFree(start, end)) {
            long pieceStart = heap.firstStart(start);
            forget(heap.remove(pieceStart, heap.end(pieceStart)));
        }
    }

    private int kind(int row) {
        return (int) rows[row] & MASK;
    }

    private int newRow(long head, long code, long address, long size) {
        int row = freeRow;
        if (row >= 0) {
            freeRow = (int) rows[row];
        } else {
            row = rowsUsed;
            rowsUsed += ROW;
            rows = rowsUsed > rows.length ? Arrays.copyOf(rows, 2 * rows.length) : rows;
        }
        rows[row] = head;
        rows[row + CODE] = code;
        rows[row + ADDRESS] = address;
        rows[row + SIZE] = size;
        return row;
    }

    private void forget(int row) {
        rows[row] = freeRow;
        freeRow = row;
    }

    void checkInvariants() {
        heap.checkInvariants();
        mappings.checkInvariants();
        ended.checkInvariants();
    }
}
