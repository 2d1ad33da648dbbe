package dev.madt.view.convert;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts what a heap profile must add up to, counted without any cache of names. */
final class HeapModel implements EventConsumer {

    private record Range(long start, long end) {}

    private final BlockTracker tracker = new BlockTracker();
    private final Map<Long, Long> births = new HashMap<>();
    private final Set<Range> modules = new HashSet<>();
    private final Map<Long, Long> sizes = new HashMap<>();
    private long next;
    private long ended;
    long bytes;
    long peak;
    long peakTime;
    long allBytes;
    long allBlocks;
    long read;
    long written;

    long lifetimes() {
        long sum = ended;
        for (long birth : births.values()) {
            sum += next - birth;
        }
        return sum;
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            mapsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Region it) {
            mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
        }
    }

    private void mapsForget(long start, long end) {
        modules.removeIf(range -> range.start < end && start < range.end);
    }

    private void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        mapsForget(start, end);
        if (kind == RegionKind.DATA) {
            modules.add(new Range(start, end));
        }
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        count(address, site.size(), store);
        next = number + 1;
    }

    private void count(long address, long length, boolean store) {
        boolean module =
                modules.stream().anyMatch(range -> range.start <= address && address < range.end);
        Block block = module ? null : tracker.find(address);
        if (block != null && births.containsKey(block.number()) && block.live()) {
            read += store ? 0 : length;
            written += store ? length : 0;
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        if (kind != BlockKind.STORE) {
            count(kind == BlockKind.COPY ? from : to, length, false);
        }
        if (kind != BlockKind.FETCH) {
            count(to, length, true);
        }
        next = number + 1;
    }

    @Override
    public void ring(TraceEvent event) {
        AllocationEvent line = tracker.apply(event);
        if (line == null) {
            return;
        }
        Block old = line.old();
        if (old != null && !old.live() && births.containsKey(old.number())) {
            keepPeak();
            ended += next - births.remove(old.number());
            bytes -= sizes.get(old.number());
        }
        Block block = line.block();
        if (block != null && !block.kind().mapping()) {
            births.put(block.number(), next);
            sizes.put(block.number(), block.size());
            bytes += block.size();
            allBytes += block.size();
            allBlocks++;
        }
    }

    private void keepPeak() {
        if (bytes > peak) {
            peak = bytes;
            peakTime = next;
        }
    }

    @Override
    public void end(boolean complete) {
        keepPeak();
    }
}
