package dev.madt.tracker;

import dev.madt.trace.event.Block;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The blocks of heaps, those that live and those that have ended and whose place nothing new has
 * taken: pieces of blocks, mostly whole, that never overlap. A piece is a row of three numbers, 24
 * bytes, in a {@link PagedRows}; what does not fit into them, or is but a part of a block, has an
 * object beside it. The end of a block changes its row where it stands.
 *
 * <pre>
 *   start, 64 bits
 *   size, 24 bits | site, 20 | stamp, upper 16 | untold, 1 | odd, 1 | life, 2
 *     or, if odd: index of the object beside, 60 bits | untold, odd, life
 *   stamp, lower 24 bits | number of the block, 40
 *   a number that belongs to whoever keeps the blocks; only where it is wanted
 * </pre>
 *
 * <p>The table has a cursor, at the piece that was found last; a change leaves it nowhere. Not for
 * use by several threads.
 */
public final class BlockTable {
    private static final int HEAD = 1;
    private static final int NUMBER = 2;
    private static final int NOTE = 3;
    private static final int LIFE = 3;
    private static final int ODD = 4;
    /**
     * Of a block that ended beside the one whose event it was: no event of its own has said so. It
     * has its birth's stamp.
     */
    private static final int UNTOLD = 8;

    private static final int ODD_SHIFT = 4;
    private static final int STAMP_SHIFT = 4;
    private static final int STAMP_LOW_BITS = 24;
    private static final int STAMP_HIGH_BITS = 16;
    private static final int STAMP_BITS = STAMP_LOW_BITS + STAMP_HIGH_BITS;
    private static final int SITE_SHIFT = STAMP_SHIFT + STAMP_HIGH_BITS;
    private static final int SITE_BITS = 20;
    private static final int SIZE_SHIFT = SITE_SHIFT + SITE_BITS;
    private static final int SIZE_BITS = 24;
    private static final int NUMBER_BITS = 40;
    private static final Block.Life[] LIVES = Block.Life.values();

    private final PagedRows rows;
    private final BlockSites sites;
    private final boolean notes;
    private final RangeListener changes;
    private final Consumer<BlockTable> lost;
    private final OddPieces odds;

    /**
     * @param notes whether there is a number for whoever keeps the blocks
     * @param changes is told of every range in which blocks have come, ended or gone
     * @param lost is told of the first piece of a block that goes though no event has ended it
     */
    BlockTable(BlockSites sites, boolean notes, RangeListener changes, Consumer<BlockTable> lost) {
        this(new PagedRows(notes ? NOTE + 1 : NOTE), new OddPieces(), sites, notes, changes, lost);
    }

    private BlockTable(
            PagedRows rows,
            OddPieces odds,
            BlockSites sites,
            boolean notes,
            RangeListener changes,
            Consumer<BlockTable> lost) {
        this.lost = lost;
        this.rows = rows;
        this.odds = odds;
        this.sites = sites;
        this.notes = notes;
        this.changes = changes;
    }

    /**
     * Another table with the blocks of this one, in constant time and but for odd pieces without
     * memory until one of both changes.
     */
    BlockTable share(RangeListener listener) {
        return new BlockTable(rows.share(), odds.copy(), sites, notes, listener, at -> {});
    }

    /** Number of pieces. */
    public long size() {
        return rows.size();
    }

    /** Moves the cursor to the piece that holds the address; false if there is none. */
    public boolean find(long address) {
        return rows.floor(address) && Long.compareUnsigned(address, end()) < 0;
    }

    /** As {@link #find}; cuts the range to the addresses for which the answer is the same. */
    boolean find(long address, AddressRange same) {
        long from = 0;
        if (rows.floor(address)) {
            if (Long.compareUnsigned(address, end()) < 0) {
                same.cut(start(), end());
                return true;
            }
            from = end();
        }
        same.cut(from, rows.ceiling(address) ? start() : -1);
        return false;
    }

    /** Moves the cursor to the first piece that overlaps [start, end); false if there is none. */
    boolean overlap(long start, long end) {
        if (!rows.floor(start)) {
            return rows.first() && Long.compareUnsigned(start(), end) < 0;
        }
        return Long.compareUnsigned(start, end()) < 0 && (start != end || start() != start)
                || rows.next() && Long.compareUnsigned(start(), end) < 0;
    }

    /**
     * Moves the cursor to the first piece that overlaps [start, end) and lives, or has ended; false
     * if there is none.
     */
    boolean overlap(long start, long end, boolean live) {
        boolean found = overlap(start, end);
        while (found && live() != live) {
            found = rows.next() && Long.compareUnsigned(start(), end) < 0;
        }
        return found;
    }

    /** Moves the cursor to the next piece that lives and begins below {@code end}. */
    boolean nextIn(long end) {
        boolean found;
        do {
            found = rows.next() && Long.compareUnsigned(start(), end) < 0;
        } while (found && !live());
        return found;
    }

    /** Moves the cursor to the first piece; false if there is none. */
    boolean first() {
        return rows.first();
    }

    /** Moves the cursor to the next piece; false if there is none. */
    boolean next() {
        return rows.next();
    }

    /** First address of the piece. */
    public long start() {
        return rows.get(0);
    }

    /** One past its last address. */
    public long end() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0 ? odd(head).end() : rows.get(0) + Math.max(1, head >>> SIZE_SHIFT);
    }

    /** Returns whether the block lives. */
    public boolean live() {
        return (rows.get(HEAD) & LIFE) == 0;
    }

    private Block.Life life() {
        return LIVES[(int) rows.get(HEAD) & LIFE];
    }

    /** The block's first address. */
    public long address() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0 ? odd(head).address() : rows.get(0);
    }

    /** Bytes of the block. */
    public long blockSize() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0 ? odd(head).size() : head >>> SIZE_SHIFT;
    }

    /** The number of the block's site. */
    public int site() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0
                ? odd(head).site()
                : (int) (head >>> SITE_SHIFT) & (1 << SITE_BITS) - 1;
    }

    /** The block's number. */
    public long number() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0 ? odd(head).number() : rows.get(NUMBER) & (1L << NUMBER_BITS) - 1;
    }

    /**
     * Returns what the keeper said of the block's birth; of one that has ended, of its end if it
     * did then.
     */
    public long stamp() {
        long head = rows.get(HEAD);
        if ((head & ODD) != 0) {
            return odd(head).stamp();
        }
        return (head >>> STAMP_SHIFT & (1 << STAMP_HIGH_BITS) - 1) << STAMP_LOW_BITS
                | rows.get(NUMBER) >>> NUMBER_BITS;
    }

    /** Returns whether no event has ended the block, alive or not, and this is its first piece. */
    boolean untold() {
        long head = rows.get(HEAD);
        boolean open = (head & LIFE) == 0 || (head & UNTOLD) != 0;
        return open
                && ((head & ODD) == 0 || !odd(head).told() && odd(head).address() == rows.get(0));
    }

    /** Returns whether an event has ended the block of which this is the rest. */
    boolean told() {
        long head = rows.get(HEAD);
        return (head & ODD) != 0 && odd(head).told();
    }

    /**
     * Returns whether the block of this piece has ended beside another one, and no event of its own
     * has said so.
     */
    boolean endedUntold() {
        return (rows.get(HEAD) & UNTOLD) != 0 && untold();
    }

    /** Says that an event has told of the end of a block. */
    void tell(long stamp) {
        long head = rows.get(HEAD);
        if ((head & ODD) == 0 && stamp >>> STAMP_BITS == 0) {
            endWhole(head & ~(long) UNTOLD, 0, stamp);
            return;
        }
        BlockPiece piece = piece();
        remove();
        insert(
                piece.part(
                        piece.start(),
                        piece.end(),
                        stamp < 0 ? piece.stamp() : stamp,
                        piece.told()),
                (int) head & LIFE);
    }

    /** An event tells of the end of the block at the cursor, which ended with another one. */
    void tell(TraceEvent.Allocation event, BlockKeeper keeper) {
        long start = address();
        long own = number();
        long end = UsableBytes.end(this);
        keeper.ended(site(), blockSize(), stamp(), note());
        tell(keeper.end(event));
        tellRests(start, own, end);
    }

    /** An event has ended the block of a part. */
    void tell(BlockPiece part, TraceEvent.Allocation event, BlockKeeper keeper) {
        if (!part.told()) {
            keeper.ended(part.site(), part.size(), part.stamp(), part.note());
        }
        boolean isRest = part.start() != part.address();
        if (isRest && find(part.address()) && number() == part.number() && endedUntold()) {
            tell(keeper.end(event)); // so that its free does not end the block again
        }
        if (isRest) {
            tellRests(
                    part.address(),
                    part.number(),
                    BulkTransfers.sum(part.address(), Math.max(1, part.size())));
        }
    }

    /** The live block of a piece. */
    Block block(BlockPiece piece) {
        return new Block(
                sites.kind(piece.site()),
                piece.number(),
                sites.code(piece.site()),
                piece.address(),
                piece.size(),
                Block.Life.LIVE,
                piece.stamp(),
                -1);
    }

    /** Says of what lives of a block in [start, end) that an event has told of its end. */
    void tellRests(long start, long number, long end) {
        List<BlockPiece> rests = new ArrayList<>();
        for (boolean found = overlap(start, end);
                found && Long.compareUnsigned(start(), end) < 0;
                found = rows.next()) {
            if (live() && number() == number) {
                rests.add(piece());
            }
        }
        for (BlockPiece rest : rests) {
            rows.floor(rest.start());
            remove();
            insert(rest.part(rest.start(), rest.end(), rest.stamp(), true), 0);
        }
    }

    /**
     * Returns whether the stamp is that of the block's end: of one that ended beside another it is
     * that of its birth.
     */
    public boolean hasEndStamp() {
        long head = rows.get(HEAD);
        return (head & LIFE) != 0 && (head & UNTOLD) == 0;
    }

    /** The keeper's number. */
    public long note() {
        return notes ? rows.get(NOTE) : 0;
    }

    /** Changes the keeper's number. */
    public void note(long value) {
        rows.set(NOTE, value);
    }

    /** The block of the piece at the cursor. */
    public Block block() {
        int site = site();
        Block.Life life = life();
        return new Block(
                sites.kind(site),
                number(),
                sites.code(site),
                address(),
                blockSize(),
                life,
                stamp(),
                life == Block.Life.LIVE ? -1 : 0);
    }

    private BlockPiece odd(long head) {
        return odds.get((int) (head >>> ODD_SHIFT));
    }

    BlockPiece piece() {
        return new BlockPiece(
                start(), end(), address(), blockSize(), site(), number(), stamp(), note(), told());
    }

    /** Adds a piece where there is none. */
    private void insert(BlockPiece piece, int life) {
        boolean fits = !piece.told()
                && piece.start() == piece.address()
                && piece.size() >>> SIZE_BITS == 0
                && piece.end() == piece.start() + Math.max(1, piece.size())
                && piece.site() >>> SITE_BITS == 0
                && piece.number() >>> NUMBER_BITS == 0
                && piece.stamp() >>> STAMP_BITS == 0;
        if (fits) {
            insert(piece.start(), piece.size(), piece.site(), piece.number(), piece.stamp(), life);
        } else {
            int index = odds.add(piece);
            rows.insert(piece.start(), (long) index << ODD_SHIFT | ODD | life, 0);
        }
        if (notes) {
            rows.set(NOTE, piece.note());
        }
    }

    private void insert(long start, long size, int site, long number, long stamp, int life) {
        rows.insert(
                start,
                size << SIZE_SHIFT
                        | (long) site << SITE_SHIFT
                        | stamp >>> STAMP_LOW_BITS << STAMP_SHIFT
                        | life,
                stamp << NUMBER_BITS | number);
    }

    void remove() {
        long head = rows.get(HEAD);
        rows.remove();
        if ((head & ODD) != 0) {
            odds.remove((int) (head >>> ODD_SHIFT));
        }
    }

    /**
     * Ends the piece at the cursor, as {@link #end} does.
     *
     * @return false if it must be done by {@link #end}
     */
    boolean endHere(Block.Life how, long stamp) {
        long head = rows.get(HEAD);
        if ((head & ODD) != 0 || stamp >= 0 && stamp >>> STAMP_BITS != 0) {
            return false;
        }
        changes.changed(start(), end());
        endWhole(head, how.ordinal(), stamp);
        return true;
    }

    /**
     * Adds a live block in the place of one that has ended there, of about its size; false if there
     * is none such, and nothing has happened.
     */
    boolean replace(long start, long size, int site, long number, long stamp) {
        if (!rows.floor(start)
                || start() != start
                || live()
                || (rows.get(HEAD) & ODD) != 0
                || ((size >>> SIZE_BITS)
                                + (site >>> SITE_BITS)
                                + (number >>> NUMBER_BITS)
                                + (stamp >>> STAMP_BITS))
                        != 0) {
            return false;
        }
        long before = end();
        long end = start + Math.max(1, size);
        if (start < 0
                || before - end >= BlockTracker.SLIVER
                || end > before && rows.hasNextBelow(end)) {
            return false;
        }
        rows.set(
                HEAD,
                size << SIZE_SHIFT
                        | (long) site << SITE_SHIFT
                        | stamp >>> STAMP_LOW_BITS << STAMP_SHIFT);
        rows.set(NUMBER, stamp << NUMBER_BITS | number);
        if (notes) {
            rows.set(NOTE, 0);
        }
        changes.changed(start, Math.max(before, end));
        return true;
    }

    /** Adds a live piece; no other may live there, and of what had ended there nothing is left. */
    void add(BlockPiece piece) {
        clear(piece.start(), piece.end(), false);
        insert(piece, 0);
        changes.changed(piece.start(), piece.end());
    }

    /** Adds a piece that has ended, where no other is. */
    void addEnded(BlockPiece piece, Block.Life life) {
        insert(piece, life.ordinal());
        changes.changed(piece.start(), piece.end());
    }

    /** Takes out every live piece that overlaps [start, end), whole. */
    void drop(long start, long end) {
        while (overlap(start, end, true)) {
            lose();
            dropHere();
        }
    }

    /** Takes out the piece at the cursor. */
    void dropHere() {
        changes.changed(start(), end());
        remove();
    }

    private void lose() {
        if (untold()) {
            lost.accept(this);
        }
    }

    /**
     * Takes out what of live, or of ended, pieces lies in [start, end); of ended ones no rests stay
     * that are shorter than a sliver.
     */
    void clear(long start, long end, boolean live) {
        while (overlap(start, end, live)) {
            takeOut(start, end);
        }
    }

    /** Takes the part in [start, end) out of the piece at the cursor. */
    private void takeOut(long start, long end) {
        int life = (int) rows.get(HEAD) & (LIFE | UNTOLD);
        long from = start();
        long to = end();
        if (Long.compareUnsigned(start, from) <= 0) {
            lose();
        }
        if (Long.compareUnsigned(start, from) <= 0 && Long.compareUnsigned(to, end) <= 0) {
            remove();
        } else {
            BlockPiece whole = piece();
            remove();
            leave(whole, from, BlockMap.later(from, start), life);
            leave(whole, BlockMap.earlier(to, end), to, life);
        }
        changes.changed(from, to);
    }

    private void leave(BlockPiece whole, long start, long end, int life) {
        if (Long.compareUnsigned(start, end) < 0
                && ((life & LIFE) == 0
                        || Long.compareUnsigned(end - start, BlockTracker.SLIVER) >= 0)) {
            insert(whole.part(start, end, whole.stamp(), whole.told()), life);
        }
    }

    /**
     * Ends what lives in [start, end); the rests of the pieces live on.
     *
     * @param stamp what is to be remembered in the place of the births' stamps; negative: they stay
     * @param how how the blocks end
     * @param number of the block whose event it is; others end untold
     * @param parts if not null, is given the parts that have ended, as they were, by ascending
     *     address
     */
    void end(
            long start, long end, Block.Life how, long number, long stamp, List<BlockPiece> parts) {
        while (overlap(start, end, true)) {
            long from = start();
            long to = end();
            if (parts != null) {
                parts.add(piece().part(
                                BlockMap.later(from, start),
                                BlockMap.earlier(to, end),
                                stamp(),
                                told()));
            }
            long head = rows.get(HEAD);
            boolean own = number() == number;
            int life = own ? how.ordinal() : how.ordinal() | UNTOLD;
            if (Long.compareUnsigned(start, from) <= 0
                    && Long.compareUnsigned(to, end) <= 0
                    && (head & ODD) == 0
                    && (!own || stamp < 0 || stamp >>> STAMP_BITS == 0)) {
                endWhole(head, life, own ? stamp : -1);
            } else {
                endPart(start, end, life, own ? stamp : -1);
            }
            changes.changed(from, to);
        }
    }

    private void endWhole(long head, int how, long stamp) {
        long changed = head | how;
        if (stamp >= 0) {
            changed = changed & ~((1L << STAMP_HIGH_BITS) - 1 << STAMP_SHIFT)
                    | stamp >>> STAMP_LOW_BITS << STAMP_SHIFT;
            rows.set(NUMBER, rows.get(NUMBER) & (1L << NUMBER_BITS) - 1 | stamp << NUMBER_BITS);
        }
        rows.set(HEAD, changed);
    }

    private void endPart(long start, long end, int how, long stamp) {
        BlockPiece whole = piece();
        remove();
        long from = BlockMap.later(whole.start(), start);
        long to = BlockMap.earlier(whole.end(), end);
        BlockPiece rest = whole.part(
                whole.start(), whole.end(), whole.stamp(), whole.told() || (how & UNTOLD) == 0);
        leave(rest, whole.start(), from, 0);
        leave(rest, to, whole.end(), 0);
        insert(whole.part(from, to, stamp < 0 ? whole.stamp() : stamp, whole.told()), how);
    }

    /** All pieces that live, or all that have ended, as INHERIT events. */
    void tell(boolean live, RingEventTaker taker) {
        for (boolean more = rows.first(); more; more = rows.next()) {
            if (live() == live) {
                taker.take(BulkTransfers.inherit(block(), start(), end()));
            }
        }
    }

    /** Moves what has ended in [start, end) to where it may lie under something that lives. */
    void lay(long start, long end, BlockMap under) {
        while (overlap(start, end, false)) {
            under.put(start(), end(), block());
            remove();
        }
    }

    void checkInvariants() {
        rows.checkInvariants();
        long behind = 0;
        for (boolean more = rows.first(); more; more = rows.next()) {
            if (Long.compareUnsigned(start(), behind) < 0
                    || Long.compareUnsigned(start(), end()) >= 0) {
                throw new IllegalStateException(
                        "table of blocks: pieces overlap at " + Long.toHexString(start()));
            }
            behind = end();
        }
    }
}
