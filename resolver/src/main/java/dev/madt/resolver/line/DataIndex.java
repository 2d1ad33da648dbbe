package dev.madt.resolver.line;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.IntervalTree;
import dev.madt.tracker.RangeListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What lies at each address: of modules the variable, elsewhere the block, else the region.
 * Stretches of addresses with one answer are kept until an allocation or a change of the address
 * space touches them; a look-up mostly ends at a table of recent ones, and allocates nothing where
 * the stretch is known. Memory grows with the address space in use, up to {@value #MOST} stretches.
 */
public final class DataIndex {
    private static final int MOST = 1 << 16;
    private static final int RECENT = 1 << 12;
    private static final int GRAIN = 4;

    private final AddressSpace space;
    private final RangeListener changes;
    private final BlockTracker blocks = new BlockTracker(this::changed);
    private final IntervalTree<Stretch> stretches = new IntervalTree<>();
    private final Stretch[] recent = new Stretch[RECENT];

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

    /** The stretch that holds the address. */
    public Stretch at(long address) {
        int slot = (int) (address >>> GRAIN ^ address >>> GRAIN + 12) & RECENT - 1;
        Stretch stretch = recent[slot];
        if (stretch == null || !stretch.contains(address)) {
            stretch = stretches.find(address);
            stretch = stretch == null ? make(address) : stretch;
            recent[slot] = stretch;
        }
        return stretch;
    }

    private Stretch make(long address) {
        AddressRange same = new AddressRange();
        AddressSpace.Region region = space.region(address, same);
        boolean module = region != null && region.kind() == RegionKind.DATA;
        Block block = module ? null : blocks.find(address, same);
        AddressSpace.Symbol symbol = block != null ? null : space.dataSymbol(address, same);
        Stretch stretch = new Stretch(same.start(), same.end(), region, block, symbol);
        if (stretches.size() >= MOST) {
            forget();
        }
        if (stretch.contains(address)) {
            // What is left of neighbours that this one now takes in.
            close(same.start(), same.end());
            stretches.insert(same.start(), same.end(), stretch);
        }
        return stretch;
    }

    /** Follows an allocation event; returns what its line says, or null when it has none. */
    public AllocationEvent apply(TraceEvent event) {
        return blocks.apply(event);
    }

    /** The blocks. */
    public BlockTracker blocks() {
        return blocks;
    }

    /** Forgets every stretch, with its note. */
    public void forget() {
        stretches.overlapping(0, -1, (start, end, stretch) -> stretch.close());
        stretches.clear();
        Arrays.fill(recent, null);
    }

    private void changed(long start, long end) {
        changes.changed(start, end);
        close(start, end);
    }

    private void close(long start, long end) {
        List<Stretch> touched = new ArrayList<>();
        stretches.overlapping(start, end, (from, to, stretch) -> touched.add(stretch));
        for (Stretch stretch : touched) {
            stretch.close();
            stretches.remove(stretch.start());
        }
    }
}
