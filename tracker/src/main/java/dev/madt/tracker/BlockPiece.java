package dev.madt.tracker;

/**
 * A piece of a heap block outside of a {@link BlockTable}, as it was while it lived.
 *
 * @param start first address of the piece
 * @param end one past its last address
 * @param address first address of the block
 * @param size bytes of the block
 * @param site number of the block's site
 * @param number the block's number
 * @param stamp and {@code note}: what a {@link BlockKeeper} remembers
 * @param told an event has ended the block, of which this is the rest
 */
record BlockPiece(
        long start,
        long end,
        long address,
        long size,
        int site,
        long number,
        long stamp,
        long note,
        boolean told) {
    /** The part [from, to) of this piece. */
    BlockPiece part(long from, long to, long newStamp, boolean nowTold) {
        return new BlockPiece(from, to, address, size, site, number, newStamp, note, nowTold);
    }

    /** This piece with another end. */
    BlockPiece reaching(long to) {
        return new BlockPiece(start, to, address, size, site, number, stamp, note, told);
    }
}
