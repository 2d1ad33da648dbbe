package dev.madt.cli.convert;

import dev.madt.cli.view.Place;
import dev.madt.tracker.Block;
import java.util.Locale;

/** The blocks of one allocating call, now and when the heap was largest. */
final class HeapSite {
    final Place call;
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

    HeapSite(Place call, Block.Kind kind) {
        this.call = call;
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

    /** {@code 0x401136: make+5 (in [prog])}, as profiles name a frame. */
    String frame() {
        return "0x" + Long.toHexString(call.address()).toUpperCase(Locale.ROOT) + ": "
                + Conversion.oneLine(call.name()) + " (in " + Conversion.bare(call.module()) + ")";
    }
}
