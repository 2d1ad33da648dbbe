package dev.madt.tracker;

import java.util.Arrays;

/** The pieces of blocks that do not fit into rows of a {@link BlockTable}, each with a number. */
final class OddPieces {
    private BlockPiece[] pieces = new BlockPiece[4];
    private int used;
    private int[] free = new int[4];
    private int freeUsed;

    OddPieces copy() {
        OddPieces copy = new OddPieces();
        copy.pieces = pieces.clone();
        copy.used = used;
        copy.free = free.clone();
        copy.freeUsed = freeUsed;
        return copy;
    }

    BlockPiece get(int number) {
        return pieces[number];
    }

    /** Keeps a piece; returns its number. */
    int add(BlockPiece piece) {
        int number = freeUsed > 0 ? free[--freeUsed] : used++;
        pieces = number == pieces.length ? Arrays.copyOf(pieces, 2 * number) : pieces;
        pieces[number] = piece;
        return number;
    }

    void remove(int number) {
        pieces[number] = null;
        free = freeUsed == free.length ? Arrays.copyOf(free, 2 * freeUsed) : free;
        free[freeUsed++] = number;
    }
}
