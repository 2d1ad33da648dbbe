package dev.madt.view.convert;

import dev.madt.view.BlockAccess;

/**
 * Cuts bulk transfers into accesses that lie in one aligned word of 8 bytes each; a copy reads and
 * writes in turn.
 */
public final class Pieces {
    private static final int WORD = 8;

    /** Takes the accesses. */
    public interface Visitor {
        void piece(boolean store, long address, int size);
    }

    private Pieces() {}

    public static void of(BlockAccess event, Visitor visitor) {
        long length = event.reach();
        long source = Conversion.source(event);
        long read = 0;
        long written = 0;
        while (read < length || written < length) {
            if (Conversion.reads(event)) {
                read += piece(visitor, false, source + read, length - read);
            } else {
                read = length;
            }
            if (Conversion.writes(event)) {
                written += piece(visitor, true, event.to() + written, length - written);
            } else {
                written = length;
            }
        }
    }

    private static int piece(Visitor visitor, boolean store, long address, long left) {
        if (left <= 0) {
            return 0;
        }
        int size = (int) Math.min(WORD - (address & WORD - 1), left);
        visitor.piece(store, address, size);
        return size;
    }
}
