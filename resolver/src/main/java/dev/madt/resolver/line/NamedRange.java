package dev.madt.resolver.line;

import dev.madt.trace.event.Block;
import dev.madt.tracker.AddressRange;

/**
 * Neighbouring addresses at which the same thing lies: a part of a block, of a variable or of the
 * rest of a region. When something changes there the range becomes empty, so that whoever keeps
 * one only has to ask whether it contains an address.
 */
public final class NamedRange {
    /** Contains no address. */
    public static final NamedRange NOWHERE = new NamedRange(0, 0, null, null, null);

    private final long start;
    private final AddressSpace.Region region;
    private final Block block;
    private final AddressSpace.Symbol symbol;
    private long length;
    private Object note;

    NamedRange(
            long start,
            long end,
            AddressSpace.Region region,
            Block block,
            AddressSpace.Symbol symbol) {
        this.start = start;
        this.length = end - start;
        this.region = region;
        this.block = block;
        this.symbol = symbol;
    }

    public boolean contains(long address) {
        return address - start + Long.MIN_VALUE < length + Long.MIN_VALUE;
    }

    long start() {
        return start;
    }

    /** One past the last address. */
    long end() {
        return start + length;
    }

    /** Takes away from a range what lies outside. */
    public void cut(AddressRange range) {
        range.cut(start, start + length);
    }

    void close() {
        length = 0;
    }

    /** The region, null if the trace knows none. */
    public AddressSpace.Region region() {
        return region;
    }

    /** The block, live or ended; null if it is none. */
    public Block block() {
        return block;
    }

    /** The variable; null if it is none. */
    public AddressSpace.Symbol symbol() {
        return symbol;
    }

    /** Returns what the owner of the index keeps here. */
    public Object note() {
        return note;
    }

    public void note(Object kept) {
        note = kept;
    }
}
