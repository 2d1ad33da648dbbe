package dev.madt.tracker;

import dev.madt.trace.event.Block;
import java.util.ArrayList;
import java.util.List;

/**
 * Says which block each address belongs to. A block holds one or more ranges, its pieces: mostly
 * one, several after a part of it has been taken out. Pieces never overlap.
 */
final class BlockMap {
    /** The range [start, end) of a block. */
    record Piece(long start, long end, Block block) {}

    private final IntervalTree<Block> pieces = new IntervalTree<>();
    private final long sliver;
    private final RangeListener changes;

    /**
     * @param sliver what {@link #cut} leaves of a piece on one side is forgotten if it is shorter
     *     than this
     * @param changes is told of every range in which blocks have come or gone
     */
    BlockMap(long sliver, RangeListener changes) {
        this.sliver = sliver;
        this.changes = changes;
    }

    Block find(long address) {
        return pieces.find(address);
    }

    /** The block at an address; cuts the range to the addresses that have the same one. */
    Block find(long address, AddressRange same) {
        return pieces.find(address, same);
    }

    /** The block that starts at this address and still has its first byte, or null. */
    Block startingAt(long address) {
        Block block = pieces.find(address);
        return block != null && block.address() == address ? block : null;
    }

    boolean isEmpty() {
        return pieces.size() == 0;
    }

    boolean isFree(long start, long end) {
        return overlapping(start, end).isEmpty();
    }

    /** Adds a piece in place of all that was there. */
    void put(long start, long end, Block block) {
        cut(start, end);
        pieces.insert(start, end, block);
        changes.changed(start, end);
    }

    /**
     * Takes out what lies in [start, end), and returns it by ascending address; the rest of the
     * pieces stays.
     */
    List<Piece> cut(long start, long end) {
        List<Piece> taken = overlapping(start, end);
        for (int i = 0; i < taken.size(); i++) {
            Piece piece = taken.get(i);
            pieces.remove(piece.start());
            changes.changed(piece.start(), piece.end());
            long from = later(piece.start(), start);
            long to = earlier(piece.end(), end);
            leave(piece.start(), from, piece.block());
            leave(to, piece.end(), piece.block());
            taken.set(i, new Piece(from, to, piece.block()));
        }
        return taken;
    }

    /** Takes out every piece that overlaps [start, end), whole. */
    void drop(long start, long end) {
        for (Piece piece : overlapping(start, end)) {
            pieces.remove(piece.start());
            changes.changed(piece.start(), piece.end());
        }
    }

    /** All pieces by ascending address. */
    List<Piece> pieces() {
        return overlapping(0, -1);
    }

    void checkInvariants() {
        pieces.checkInvariants();
    }

    private void leave(long start, long end, Block block) {
        if (start != end && Long.compareUnsigned(end - start, sliver) >= 0) {
            pieces.insert(start, end, block);
        }
    }

    private List<Piece> overlapping(long start, long end) {
        List<Piece> found = new ArrayList<>(2);
        pieces.overlapping(start, end, (from, to, block) -> found.add(new Piece(from, to, block)));
        return found;
    }

    static long later(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? b : a;
    }

    static long earlier(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? a : b;
    }
}
