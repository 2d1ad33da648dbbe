package dev.madt.testprogs.recording;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import java.util.HashMap;
import java.util.Map;

/**
 * The accesses in the trace of one process that its program knows of, in the form in which it tells
 * them.
 */
final class SeenAccesses implements EventConsumer {
    private final KnownAccesses known;
    private final KnownAccesses seen;
    private final BlockTracker tracker = new BlockTracker();
    /** Says who made a block, by its epoch. */
    private final Map<Long, Integer> makers = new HashMap<>();

    private long missed;

    /** @param seen to which the accesses are added */
    SeenAccesses(KnownAccesses known, KnownAccesses seen) {
        this.known = known;
        this.seen = seen;
    }

    /** Returns how many accesses the engine says that it may have missed. */
    long missed() {
        return missed;
    }

    @Override
    public void meta(Map<String, String> values) {
        missed = Long.parseLong(values.getOrDefault("missed", Long.toString(missed)));
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        if (known.counts(address)) {
            seen.count(
                    new KnownAccesses.Place(thread, address),
                    new KnownAccesses.Count(store ? 0 : 1, store ? 1 : 0));
        }
        if (known.follows(site.address())) {
            seen.use(thread, use(store, address));
        }
    }

    private KnownAccesses.Use use(boolean store, long address) {
        Block block = tracker.find(address);
        return block == null || !block.live()
                ? new KnownAccesses.Use(store, address, 0, 0, 0)
                : new KnownAccesses.Use(
                        store, address, block.address(), block.size(), makers.get(block.birth()));
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void ring(TraceEvent event) {
        tracker.apply(event);
        if (event.type() != RingEventType.INHERIT) {
            makers.put(event.epoch(), event.thread());
        }
    }
}
