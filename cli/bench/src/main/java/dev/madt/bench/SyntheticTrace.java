package dev.madt.bench;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A trace of any length, made without a program: two functions sweep over a table and eight blocks,
 * four accesses a record, one of which goes to some place of its block that no one can foresee.
 */
public final class SyntheticTrace {
    public static final int ACCESSES_PER_RECORD = 4;

    private static final int PID = 4_242;
    private static final long CODE = 0x401000;
    private static final long TABLE = 0x404000;
    private static final long HEAP = 0x800000;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 1 << 18;
    private static final int TEMPLATES = 16;

    private SyntheticTrace() {}

    /**
     * Writes a complete trace with {@code records} × {@value #ACCESSES_PER_RECORD} accesses, a
     * quarter of them stores.
     */
    public static void write(Path file, long records) throws IOException {
        write(file, records, Long.MAX_VALUE);
    }

    /** As above, with a new frame after so many records. */
    public static void write(Path file, long records, long recordsInFrame) throws IOException {
        try (TraceWriter writer = new TraceWriter(file, true)) {
            EventsFrame events = new EventsFrame();
            definitions(writer, events);
            for (int i = 0; i < BLOCKS; i++) {
                events.event(TraceEvent.of(
                        RingEventType.MALLOC,
                        PID,
                        i,
                        HEAP + (long) i * BLOCK_BYTES * 2,
                        BLOCK_BYTES,
                        0,
                        0,
                        "",
                        CODE + 8 * i));
            }
            long[] words = new long[ACCESSES_PER_RECORD];
            long seed = 1;
            for (long n = 0; n < records; n++) {
                for (int i = 0; i < ACCESSES_PER_RECORD - 1; i++) {
                    long block = (n + i) % BLOCKS;
                    words[i] = HEAP + block * BLOCK_BYTES * 2 + n / 8 * 8 % BLOCK_BYTES;
                }
                seed = seed * 0x5851_f42d_4c95_7f2dL + 1;
                words[0] = words[0] & -BLOCK_BYTES | (seed >>> 40) % (BLOCK_BYTES / 8) * 8;
                words[ACCESSES_PER_RECORD - 1] = TABLE + n * 4 % 0x8000;
                events.record(16 + (int) (n % TEMPLATES), BLOCKS, words, 0, words.length);
                if (events.isFull() || (n + 1) % recordsInFrame == 0) {
                    writer.frame(events.build(PID, PID));
                }
            }
            if (!events.isEmpty()) {
                writer.frame(events.build(PID, PID));
            }
            writer.frame(new MetaFrame().add("ended", "exit 0").build(PID, 0));
        }
    }

    private static void definitions(TraceWriter writer, EventsFrame events) throws IOException {
        writer.frame(new MetaFrame()
                .add("program", "/bin/synthetic")
                .add("command", "synthetic")
                .add("pid", "4242")
                .build(PID, 0));
        writer.frame(new MapsFrame()
                .forget(0, -1)
                .add(RegionKind.CODE, 5, CODE, CODE + 0x1000, CODE, "[synthetic]")
                .add(RegionKind.DATA, 3, TABLE, TABLE + 0x10000, TABLE, "[.bss]")
                .add(RegionKind.HEAP, 3, HEAP, HEAP + 0x800000, HEAP, "[heap]")
                .build(PID, 0));
        writer.frame(new SymbolsFrame()
                .add(false, TABLE, 0x8000, "table")
                .add(true, CODE, 0x80, "sweep")
                .add(true, CODE + 0x80, 0x80, "fold")
                .build(PID, 0));
        TemplatesFrame frame = new TemplatesFrame();
        for (int template = 0; template < TEMPLATES; template++) {
            AccessSite[] sites = new AccessSite[ACCESSES_PER_RECORD];
            for (int i = 0; i < sites.length; i++) {
                AccessKind kind = i == ACCESSES_PER_RECORD - 1 ? AccessKind.STORE : AccessKind.LOAD;
                sites[i] = new AccessSite(
                        CODE + 16L * template + 4 * i,
                        4,
                        kind,
                        i == sites.length - 1 ? 4 : 8,
                        0,
                        false);
            }
            frame.add(16 + template, sites);
            events.define(16 + template, sites);
        }
        writer.frame(frame.build(PID, 0));
    }
}
