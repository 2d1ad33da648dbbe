package dev.madt.resolver.line;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.IntervalTree;
import dev.madt.tracker.PagedCells;
import dev.madt.tracker.RangeListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what lies at each address: the block, else the region; of modules the variable, or the block
 * that an allocator by another name has cut from it.
 * Ranges of addresses with one answer are kept until an allocation or a change of the address space
 * touches them; a look-up mostly ends at what was the answer there before, and allocates nothing
 * where the range is known. Memory grows with the address space in use, up to {@value #MOST}
 * ranges.
 */
public final class DataIndex {
    private static final int MOST = 1 << 16;
    /** Pages whose look-ups are remembered. */
    private static final int MOST_PAGES = 1 << 14;

    private static final int GRAIN = 4;

    private final AddressSpace space;
    private final RangeListener changes;
    private final BlockTracker blocks = new BlockTracker(this::changed);
    private final IntervalTree<NamedRange> ranges = new IntervalTree<>();
    /** The last answer for each 16 bytes; may be one that does not hold any more. */
    private final PagedCells<NamedRange> recent = new PagedCells<>(GRAIN);

    /** Listens to the address space from now on, in the place of others. */
    public DataIndex(AddressSpace space) {
        this(space, (start, end) -> {});
    }

    /**
     * Listens to the address space from now on, in the place of others.
     *
     * @param changes is told of every range in which what lies there may have changed
     */
    public DataIndex(AddressSpace space, RangeListener changes) {
        this.space = space;
        this.changes = changes;
        space.listener(this::changed);
    }

    /** The range that holds the address. */
    public NamedRange at(long address) {
        NamedRange named = recent.get(address);
        if (named == null || !named.contains(address)) {
            named = ranges.find(address);
            named = named == null ? make(address) : named;
            if (recent.pages() >= MOST_PAGES) {
                recent.clear();
            }
            recent.put(address, named);
        }
        return named;
    }

    private NamedRange make(long address) {
        AddressRange same = new AddressRange();
        AddressSpace.Region region = space.region(address, same);
        boolean module = region != null && region.kind() == RegionKind.DATA;
        Block block = module ? blocks.nested().block(address, same) : blocks.find(address, same);
        AddressSpace.Symbol symbol = block != null ? null : space.dataSymbol(address, same);
        NamedRange named = new NamedRange(same.start(), same.end(), region, block, symbol);
        if (ranges.size() >= MOST) {
            forget();
        }
        if (named.contains(address)) {
            // What is left of neighbours that this one now takes in.
            close(same.start(), same.end());
            ranges.insert(same.start(), same.end(), named);
        }
        return named;
    }

    /** Follows an allocation event; returns what its line says, or null when it has none. */
    public AllocationEvent apply(TraceEvent event) {
        return blocks.apply(event);
    }

    /** The blocks. */
    public BlockTracker blocks() {
        return blocks;
    }

    /** Forgets every range, with its note. */
    public void forget() {
        ranges.overlapping(0, -1, (start, end, named) -> named.close());
        ranges.clear();
        recent.clear();
    }

    private void changed(long start, long end) {
        changes.changed(start, end);
        close(start, end);
    }

    private void close(long start, long end) {
        List<NamedRange> touched = new ArrayList<>();
        ranges.overlapping(start, end, (from, to, named) -> touched.add(named));
        for (NamedRange named : touched) {
            named.close();
            ranges.remove(named.start());
        }
    }
}
