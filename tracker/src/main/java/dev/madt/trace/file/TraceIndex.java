package dev.madt.trace.file;

import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.PayloadBytes;
import dev.madt.trace.codec.PayloadCursor;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.layout.TraceLayout;
import java.util.Arrays;

/**
 * The last frame of a complete trace: the totals, and where to begin to read for an access number.
 * The arrays have equal lengths and are not to be changed.
 *
 * @param accesses loads and stores as printed: a modify counts twice
 * @param blocks bulk transfers
 * @param allocations allocation events
 * @param frames frames in front of the index
 * @param offsets file offset of each EVTS frame, ascending
 * @param firsts number of the first access or bulk transfer of that frame
 */
public record TraceIndex(
        long accesses, long blocks, long allocations, long frames, long[] offsets, long[] firsts) {
    private static final int ENTRY_BYTES = 16;

    /** Accesses, bulk transfers and allocation events. */
    public long events() {
        return accesses + blocks + allocations;
    }

    /** Accesses and bulk transfers, which have numbers. */
    public long numbered() {
        return accesses + blocks;
    }

    /** Returns those of them in frames that begin in front of a byte of the file. */
    public long numberedBefore(long offset) {
        int at = Arrays.binarySearch(offsets, offset);
        int next = at < 0 ? -at - 1 : at;
        return next == firsts.length ? numbered() : firsts[next];
    }

    /**
     * The frame; its payload has at most {@code mostBytes} bytes, and of more entries every second,
     * fourth … is kept.
     */
    Frame build(int pid, int mostBytes) {
        PayloadBytes payload = new PayloadBytes();
        payload.u64(accesses).u64(blocks).u64(allocations).u64(frames);
        int step = 1;
        while (payload.size() + (offsets.length / step + 1L) * ENTRY_BYTES > mostBytes) {
            step *= 2;
        }
        for (int i = 0; i < offsets.length; i += step) {
            payload.u64(offsets[i]).u64(firsts[i]);
        }
        return payload.frame(FrameType.INDEX, pid, 0);
    }

    /**
     * @throws TraceFormatException if the payload is malformed, or its offsets or numbers descend
     */
    static TraceIndex decode(Frame frame) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.INDEX);
        long accesses = cursor.u64();
        long blocks = cursor.u64();
        long allocations = cursor.u64();
        long frames = cursor.u64();
        int entries = cursor.remaining() / ENTRY_BYTES;
        long[] offsets = new long[entries];
        long[] firsts = new long[entries];
        for (int i = 0; i < entries; i++) {
            offsets[i] = cursor.u64();
            firsts[i] = cursor.u64();
            if (offsets[i] < (i == 0 ? TraceLayout.HEADER_BYTES : offsets[i - 1] + 1)
                    || firsts[i] < (i == 0 ? 0 : firsts[i - 1])) {
                throw cursor.malformed("entry " + i + " is not behind the one before it");
            }
        }
        if (!cursor.atEnd()) {
            throw cursor.malformed(cursor.remaining() + " bytes too many");
        }
        return new TraceIndex(accesses, blocks, allocations, frames, offsets, firsts);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TraceIndex that
                && accesses == that.accesses
                && blocks == that.blocks
                && allocations == that.allocations
                && frames == that.frames
                && Arrays.equals(offsets, that.offsets)
                && Arrays.equals(firsts, that.firsts);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(accesses * 31 + frames);
    }

    @Override
    public String toString() {
        return "TraceIndex[accesses=" + accesses + ", blocks=" + blocks + ", allocations="
                + allocations
                + ", frames=" + frames + ", offsets=" + Arrays.toString(offsets)
                + ", firsts=" + Arrays.toString(firsts) + "]";
    }
}
