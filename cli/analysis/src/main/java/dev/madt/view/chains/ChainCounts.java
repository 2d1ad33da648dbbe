package dev.madt.view.chains;

import dev.madt.trace.event.Block;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts blocks and the accesses to them by the chains of calls that allocated them. Memory grows
 * with the chains, not with the blocks. Mappings count as the blocks that they are.
 */
public final class ChainCounts implements Analysis {
    /** Says what blocks have in common that count together. */
    private record Origin(Block.Kind kind, Place call, CallChain chain) {}

    /** A block of a mapping, which the reading does not know the birth of. */
    private record Mapping(ChainCount count, long size, long birth) {}

    private final Notes<ChainCount> notes = new Notes<>();
    private final Notes<Mapping> mappings = new Notes<>();
    private final Map<Origin, ChainCount> byOrigin = new HashMap<>();
    private final List<ChainCount> counts = new ArrayList<>();
    private final List<ChainCount> changed = new ArrayList<>();
    /** The address of the last block of each thread, as long as nothing else is allocated. */
    private final Map<Integer, Long> lasts = new HashMap<>();

    private long accesses;
    private long heapBytes;
    private long peakBytes;
    private boolean known;

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().withChains().keeping(notes, mappings);
    }

    @Override
    public void accesses(Accesses batch) {
        accesses += batch.count();
        for (int row = 0; row < batch.count(); row++) {
            DataObject object = batch.object(row);
            if (object.block() != null) {
                of(object).access();
            }
        }
    }

    private ChainCount of(DataObject object) {
        ChainCount count = notes.of(object);
        if (count == null) {
            count = byOrigin.computeIfAbsent(
                    new Origin(object.block().kind(), object.call(), object.chain()),
                    origin -> make(origin, object.shownCall()));
            notes.keep(object, count);
        }
        return count;
    }

    private ChainCount make(Origin origin, Place shown) {
        ChainCount count = new ChainCount(origin.kind(), origin.chain(), origin.call(), shown);
        known |= origin.chain() != null;
        counts.add(count);
        return count;
    }

    @Override
    public void allocation(Allocation event) {
        int thread = event.thread();
        long old = event.event().oldAddress();
        boolean free = event.event().letter() == 'F';
        boolean soon = free && lasts.getOrDefault(thread, 0L) == old;
        if (event.life() != null) {
            Allocation.Life life = event.life();
            end(of(event.ended()), life.size(), event.next() - life.birth(), soon);
        } else if (event.ended() != null && event.ended().former() != null) {
            Mapping mapping = mappings.of(event.ended().former());
            if (mapping != null) {
                mappings.keep(event.ended().former(), null);
                end(mapping.count(), mapping.size(), event.next() - mapping.birth(), false);
            }
        }
        if (event.born() != null) {
            born(event.born(), event.event().block().size(), event.next());
            lasts.put(thread, event.event().block().address());
        } else if (free) {
            lasts.remove(thread);
        }
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        end(of(site), life.size(), next - life.birth(), false);
    }

    @Override
    public void inherited(DataObject block, long size) {
        born(block, size, 0);
    }

    private void born(DataObject object, long size, long now) {
        ChainCount count = of(object);
        count.born(size);
        if (!object.isSite()) {
            mappings.keep(object, new Mapping(count, size, now));
        }
        heapBytes += size;
        change(count);
    }

    /** Before anything ends, what there is may be the most there ever was. */
    private void end(ChainCount count, long size, long lifetime, boolean soon) {
        keepPeak();
        count.ended(size, lifetime, soon);
        heapBytes -= size;
        change(count);
    }

    private void change(ChainCount count) {
        if (!count.changed) {
            count.changed = true;
            changed.add(count);
        }
    }

    private void keepPeak() {
        if (heapBytes > peakBytes) {
            peakBytes = heapBytes;
            changed.forEach(ChainCount::keepPeak);
            changed.clear();
        }
    }

    @Override
    public void end(boolean complete) {
        keepPeak();
        heapBytes = 0;
    }

    /** Returns the chains, in the order in which they were first seen. */
    public List<ChainCount> all() {
        return counts;
    }

    /** Returns whether there are chains at all. */
    public boolean isKnown() {
        return known;
    }

    /** Loads and stores of all data. */
    public long accesses() {
        return accesses;
    }
}
