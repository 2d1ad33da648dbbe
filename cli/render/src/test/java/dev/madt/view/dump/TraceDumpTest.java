package dev.madt.view.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TraceDumpTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void shouldWriteEveryRecord() throws IOException {
        AccessSite load = new AccessSite(0x401000, 4, AccessKind.LOAD, 8, 1, false);
        AccessSite push = new AccessSite(0x401000, 4, AccessKind.STORE, 8, 2, true);
        EventsFrame events =
                new EventsFrame().define(21, new AccessSite[] {load, push}).thread(43);
        events.event(TraceEvent.of(RingEventType.FREE, 7, 3, 0, 0, 0x5000, 0, "", 0x401010));
        events.record(21, 4, new long[] {0x5008, SharedLayout.WORD_NONE}, 0, 2);
        events.record(
                SharedLayout.TEMPLATE_COPY, 4, new long[] {0x401020, 0x6000, 0x5000, 33}, 0, 4);
        events.thread(44).record(21, 3, new long[] {0x5009, 0x5010}, 0, 2);
        events.event(TraceEvent.of(RingEventType.FREE, 7, 5, 0, 0, 0x6000, 0, "", 0x401010));
        try (TraceDump dump = new TraceDump(out)) {
            dump.frame(new MetaFrame().add("program", "p").build(42, 0));
            dump.frame(new MapsFrame()
                    .forget(0, -1)
                    .add(RegionKind.HEAP, 3, 0x5000, 0x9000, 0x5000, "[heap]")
                    .build(42, 0));
            dump.frame(new SymbolsFrame().add(true, 0x401000, 33, "main").build(42, 0));
            dump.frame(
                    new TemplatesFrame().add(21, new AccessSite[] {load, push}).build(42, 0));
            dump.frame(events.build(42));
        }
        assertEquals(
                """
                frame 0: META pid 42 tid 0, 16 bytes
                  program = p
                frame 1: MAPS pid 42 tid 0, 70 bytes
                  forget 0x0-0xffffffffffffffff
                  add 0x5000-0x9000 rw- origin 0x5000 heap [heap]
                frame 2: SYMS pid 42 tid 0, 28 bytes
                  add 0x401000+33 code main
                frame 3: TMPL pid 42 tid 0, 40 bytes
                  template 21: 0x401000+4 load 8 operand 1; 0x401000+4 store 8 operand 2 stack
                frame 4: EVTS pid 42 tid 43, 118 bytes
                  template event epoch 3: FREE 0x3 0x7 0x0 0x0 0x5000 0x0 0x401010
                  template 21 epoch 4: 0x5008 -
                  template copy epoch 4: 0x401020 0x6000 0x5000 0x21
                  template thread epoch 4: 0x2c
                  template 21 epoch 3: 0x5009 0x5010
                  template short event epoch 5: FREE 0x5 0x7 0x0 0x0 0x6000 0x0 0x401010
                """,
                out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseAFrameThatIsMalformed() {
        byte[] payload = new EventsFrame()
                .event(TraceEvent.of(RingEventType.FREE, 7, 3, 0, 0, 0x5000, 0, "", 1))
                .build(42, 43)
                .payload()
                .array();
        payload[32] = 0x7f;
        TraceDump dump = new TraceDump(out);
        assertThrows(
                TraceFormatException.class,
                () -> dump.frame(new Frame(FrameType.EVENTS, 42, 43, ByteBuffer.wrap(payload))));
        dump.close();
    }
}
