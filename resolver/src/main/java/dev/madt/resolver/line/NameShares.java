package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.Map;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * Counts how the accesses of a trace are named: by a symbol, a live block, a dead block or only by
 * region and offset; and how many blocks lived at the same time.
 */
public final class NameShares implements EventConsumer {
    private static final int SHARES = DataNames.Share.values().length;

    private final AddressSpace space = new AddressSpace();
    private final DataIndex index = new DataIndex(space);
    private final DataNames names = new DataNames(space, index, null);
    private final long[] all = new long[SHARES];
    private final long[] own = new long[SHARES];
    private final OpenFrames frames = new OpenFrames(space);
    private final long[] stacks = new long[OpenFrames.Outcome.values().length];
    private String program = "";
    private final LongHashSet live = new LongHashSet();
    private long peak;
    private AccessSite last;
    private boolean lastOwn;

    @Override
    public void meta(Map<String, String> values) {
        String path = values.getOrDefault("program", "");
        if (!path.isEmpty()) {
            program = '[' + path.substring(path.lastIndexOf('/') + 1) + ']';
        }
    }

    @Override
    public void define(Definition definition) {
        space.define(definition);
        frames.define(definition);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        int share = share(thread, site, address).ordinal();
        all[share]++;
        if (site != last) {
            last = site;
            lastOwn = space.label(site.address()).equals(program);
        }
        if (lastOwn) {
            own[share]++;
        }
    }

    private DataNames.Share share(int thread, AccessSite site, long address) {
        DataNames.Share share = names.share(address);
        if (frames.isEmpty()) {
            return share;
        }
        frames.access(thread, site, address);
        if (share != DataNames.Share.REGION
                || site.frame() == AccessSite.NO_FRAME && !isStack(thread, address)) {
            return share;
        }
        OpenFrames.Outcome outcome = frames.outcome(thread, site, address);
        stacks[outcome.ordinal()]++;
        return outcome == OpenFrames.Outcome.VARIABLE || outcome == OpenFrames.Outcome.CALL
                ? DataNames.Share.LOCAL
                : share;
    }

    private boolean isStack(int thread, long address) {
        AddressSpace.Region region = space.region(address);
        return region != null && region.kind() == RegionKind.STACK
                || frames.isStack(thread, address);
    }

    /** Accesses to stacks; all are 0 if the trace does not say what lies in frames. */
    public long onStack(OpenFrames.Outcome outcome) {
        return stacks[outcome.ordinal()];
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void ring(TraceEvent event) {
        AllocationEvent allocation = index.apply(event);
        if (allocation == null) {
            return;
        }
        Block old = allocation.old();
        if (old != null && !old.live()) {
            live.remove(old.number());
        }
        if (allocation.block() != null) {
            live.add(allocation.block().number());
            peak = Math.max(peak, live.size());
        }
    }

    /**
     * The most blocks that were alive at once. A block ends with the first munmap of a part of it;
     * further blocks that one munmap takes along count as alive.
     */
    public long peakLiveBlocks() {
        return peak;
    }

    /**
     * Accesses to addresses that a symbol covers; {@code ownCode}: only those by the program's own
     * code.
     */
    public long bySymbol(boolean ownCode) {
        return count(ownCode, DataNames.Share.SYMBOL);
    }

    /** Accesses to variables on stacks, and to what calls leave there. */
    public long byLocal(boolean ownCode) {
        return count(ownCode, DataNames.Share.LOCAL);
    }

    public long byLiveBlock(boolean ownCode) {
        return count(ownCode, DataNames.Share.LIVE_BLOCK);
    }

    /** Accesses to freed or unmapped blocks: defects of the target. */
    public long byDeadBlock(boolean ownCode) {
        return count(ownCode, DataNames.Share.DEAD_BLOCK);
    }

    public long byRegion(boolean ownCode) {
        return count(ownCode, DataNames.Share.REGION);
    }

    private long count(boolean ownCode, DataNames.Share share) {
        return (ownCode ? own : all)[share.ordinal()];
    }
}
