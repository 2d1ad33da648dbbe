package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceWriter;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A small trace with every type of frame, and what must come out of it. */
public final class SampleTrace {
    static final int PID = 4_242;
    public static final AccessSite LOAD = new AccessSite(0x401000, 4, AccessKind.LOAD, 8, 1, false);
    static final AccessSite STORE = new AccessSite(0x401004, 7, AccessKind.STORE, 4, 0, true);
    public static final AccessSite MODIFY =
            new AccessSite(0x40100b, 3, AccessKind.MODIFY, 2, 0, false);
    static final long NONE = SharedLayout.WORD_NONE;

    private SampleTrace() {}

    public static List<Frame> frames() {
        List<Frame> frames = new ArrayList<>();
        frames.add(new MetaFrame().add("program", "sört").add("pid", "4242").build(PID, 0));
        frames.add(new MapsFrame()
                .forget(0, -1)
                .add(RegionKind.HEAP, 3, 0x5000, 0x9000, 0x5000, "[heap]")
                .add(
                        RegionKind.DATA,
                        1,
                        0xffff_8000_0000_0000L,
                        0xffff_8000_0000_1000L,
                        0x10,
                        "[.rodata]")
                .build(PID, 0));
        frames.add(new SymbolsFrame()
                .forget(0x400000, 0x500000)
                .add(true, 0x401000, 0, "main")
                .add(false, 0x404000, 528, "table")
                .build(PID, 0));
        frames.add(new TemplatesFrame()
                .add(16, new AccessSite[] {LOAD})
                .add(17, new AccessSite[] {LOAD, STORE, MODIFY})
                .build(PID, 0));
        EventsFrame events = new EventsFrame();
        events.define(16, new AccessSite[] {LOAD})
                .define(17, new AccessSite[] {LOAD, STORE, MODIFY});
        events.event(ring(RingEventType.MALLOC, 0x5010, 24, 0, 0x401005));
        events.record(16, 1, new long[] {0, 0x5010, 0}, 1, 1);
        events.record(17, 1, new long[] {0x5011, NONE, 0x5012}, 0, 3);
        frames.add(events.build(PID, PID));
        events.record(
                SharedLayout.TEMPLATE_COPY, 1, new long[] {0x401020, 0x5010, 0x404000, 24}, 0, 4);
        events.record(SharedLayout.TEMPLATE_FETCH, 1, new long[] {0x401024, 0x5010, 7}, 0, 3);
        events.record(SharedLayout.TEMPLATE_STORE, 1, new long[] {NONE - 5, NONE, 7}, 0, 3);
        events.record(
                SharedLayout.TEMPLATE_WRITE_UNKNOWN, 1, new long[] {0x7000_0000, 0x5014}, 0, 2);
        frames.add(events.build(PID, 4_243));
        frames.add(new TemplatesFrame().add(16, new AccessSite[] {MODIFY}).build(PID, 0));
        events.define(16, new AccessSite[] {MODIFY}).record(16, 1, new long[] {0x5018}, 0, 1);
        events.record(
                SharedLayout.TEMPLATE_LOAD_UNKNOWN, 1, new long[] {0x7000_0000, 0x5015}, 0, 2);
        events.event(ring(RingEventType.FREE, 0, 0, 0x5010, 0));
        events.event(ring(RingEventType.THREAD_END, 0, 0, 0, 0));
        frames.add(events.build(PID, 4_244));
        frames.add(new MetaFrame().add("ended", "exit 0").build(PID, 0));
        return frames;
    }

    public static TraceEvent ring(
            RingEventType type, long address, long size, long old, long code) {
        return TraceEvent.of(type, PID, 0x1_0000_0002L, address, size, old, 0, "", code);
    }

    /**
     * The calls that a consumer of {@link #frames} must see, as {@link RecordingConsumer} notes
     * them.
     */
    public static List<String> calls() {
        return List.of(
                "meta {program=sört, pid=4242}",
                "forget 0 ffffffffffffffff",
                "map 3 3 5000 9000 5000 [heap]",
                "map 2 1 ffff800000000000 ffff800000001000 10 [.rodata]",
                "forget symbols 400000 500000",
                "symbol true 401000 0 main",
                "symbol false 404000 528 table",
                "ring MALLOC 4242 4294967298 5010 24 0 0 401005",
                "0 4242 L 401000 5010",
                "1 4242 L 401000 5011",
                "2 4242 L 40100b 5012",
                "3 4242 S 40100b 5012",
                "4 4243 Y 401020 5010 404000 24",
                "5 4243 G 401024 5010 0 7",
                "6 4243 S 70000000 5014",
                "7 4244 L 40100b 5018",
                "8 4244 S 40100b 5018",
                "9 4244 L 70000000 5015",
                "ring FREE 4242 4294967298 0 0 5010 0 0",
                "ring THREAD_END 4242 4294967298 0 0 0 0 0",
                "meta {ended=exit 0}");
    }

    public static byte[] file() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            for (Frame frame : frames()) {
                writer.frame(frame);
            }
        }
        return out.toByteArray();
    }
}
