package dev.madt.tracker;

import java.util.ArrayList;
import java.util.List;

/**
 * Which block each address belongs to. A block holds one or more ranges, its pieces: mostly one, several after a part
 * of it has been taken out. Pieces never overlap.
 */
final class BlockMap {
    /** The range [start, end) of a block. */
    record Piece(long start, long end, Block block) {}

    private final IntervalTree<Block> pieces = new IntervalTree<>();
    private final long sliver;

    /** @param sliver what {@link #cut} leaves of a piece on one side is forgotten if it is shorter than this */
    BlockMap(long sliver) {
        this.sliver = sliver;
    }

    Block find(long address) {
        return pieces.find(address);
    }

    /** The block that starts at this address and still has its first byte, or null. */
    Block startingAt(long address) {
        Block block = pieces.find(address);
        return block != null && block.address() == address ? block : null;
    }

    boolean isFree(long start, long end) {
        return overlapping(start, end).isEmpty();
    }

    /** Whether one piece of the block has all of [start, end). */
    boolean holdsWhole(long start, long end, Block block) {
        List<Piece> found = overlapping(start, end);
        Piece only = found.size() == 1 ? found.get(0) : null;
        return only != null && only.block() == block && Long.compareUnsigned(only.start(), start) <= 0
                && Long.compareUnsigned(end, only.end()) <= 0;
    }

    /** Whether the last piece that begins below {@code end} is over at {@code start}, so that nothing lies between. */
    boolean endsBefore(long start, long end) {
        Block last = pieces.floor(end - 1);
        return last == null
                || Long.compareUnsigned(last.address() + Math.max(1, last.size()), start) <= 0;
    }

    /** Adds a piece in place of all that was there. */
    void put(long start, long end, Block block) {
        cut(start, end);
        pieces.insert(start, end, block);
    }

    /** Takes out what lies in [start, end), and returns it by ascending address; the rest of the pieces stays. */
    List<Piece> cut(long start, long end) {
        List<Piece> taken = overlapping(start, end);
        for (int i = 0; i < taken.size(); i++) {
            Piece piece = taken.get(i);
            pieces.remove(piece.start());
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
        }
    }

    /** All pieces by ascending address. */
    List<Piece> pieces() {
        return overlapping(0, -1);
    }

    /** Number of pieces. */
    int size() {
        return pieces.size();
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

    private static long later(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? b : a;
    }

    private static long earlier(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? a : b;
    }
}
