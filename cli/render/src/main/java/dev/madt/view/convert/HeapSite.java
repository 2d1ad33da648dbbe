package dev.madt.view.convert;

import dev.madt.trace.event.Block;
import dev.madt.view.Place;
import java.util.List;

/** The blocks of one chain of calls, now and when the heap was largest. */
final class HeapSite {
    /** The calls that led to the allocation, the innermost first. */
    final List<Place> frames;

    final Block.Kind kind;
    final ByteCounts counts = new ByteCounts();
    long bytes;
    long blocks;
    long peakBytes;
    long peakBlocks;
    long mostBytes;
    long mostBlocks;
    long allBytes;
    long allBlocks;
    long lifetimes;
    /** Sum of the births of the blocks that are alive. */
    long births;

    long read;
    long written;
    boolean changed;

    HeapSite(List<Place> frames, Block.Kind kind) {
        this.frames = frames;
        this.kind = kind;
    }

    void born(long size, long now) {
        births += now;
        bytes += size;
        blocks++;
        allBytes += size;
        allBlocks++;
        if (bytes > mostBytes) {
            mostBytes = bytes;
            mostBlocks = blocks;
        }
        counts.born(size);
    }

    void died(long size, long birth, long now) {
        births -= birth;
        bytes -= size;
        blocks--;
        lifetimes += now - birth;
    }

    void keepPeak() {
        peakBytes = bytes;
        peakBlocks = blocks;
    }
}
