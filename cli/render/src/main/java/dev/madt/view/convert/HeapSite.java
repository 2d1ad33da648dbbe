package dev.madt.view.convert;

import dev.madt.trace.event.Block;
import dev.madt.view.Place;
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

    /**
     * {@code 0x401136: make (prog.c:7)}, as profiles name a frame; without a source line
     * {@code make+5 (in prog)}.
     */
    String frame() {
        String address = "0x" + Long.toHexString(call.address()).toUpperCase(Locale.ROOT) + ": ";
        if (call.line() == 0) {
            return address + Conversion.oneLine(call.name()) + " (in "
                    + Conversion.bare(call.module()) + ")";
        }
        String file = call.file().substring(call.file().lastIndexOf('/') + 1);
        return address + Conversion.oneLine(call.function()) + " (" + Conversion.oneLine(file) + ":"
                + call.line() + ")";
    }
}
