package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordingWindowsTest {
    private final AddressSpace space = new AddressSpace();

    private RecordingWindows windows(String start) {
        space.define(new Definition.Region(RegionKind.CODE, 5, 0x1000, 0x9000, 0x1000, "[prog]"));
        space.define(new Definition.Symbol(true, 0x1230, 0x100, "frame"));
        RecordingWindows windows = new RecordingWindows(space);
        windows.meta(Map.of("start", start));
        return windows;
    }

    private static TraceEvent event(RingEventType type, long address, long cause, long time) {
        return TraceEvent.of(type, 4711, 1, address, cause, time, 0, "", 0);
    }

    private static RecordingWindows.Turn open(RecordingWindows windows, int cause) {
        return windows.turn(event(RingEventType.RECORD_START, 0x1230, cause, 77));
    }

    private static RecordingWindows.Turn close(RecordingWindows windows, int cause) {
        return windows.turn(event(RingEventType.RECORD_STOP, 0x1230, cause, 99));
    }

    @Test
    void shouldNameTheFunctionThatWasEntered() {
        RecordingWindows windows = windows("func:fr* until func:f?ame");
        assertEquals(
                new RecordingWindows.Turn(1, true, "func:frame", 77),
                open(windows, SharedLayout.START_FUNCTION));
        assertEquals(
                new RecordingWindows.Turn(1, false, "func:frame", 99),
                close(windows, SharedLayout.START_FUNCTION));
        assertNull(close(windows, SharedLayout.START_FUNCTION), "it is closed");
        assertEquals(2, open(windows, SharedLayout.START_FUNCTION).number());
    }

    @Test
    void shouldSayWhatWasAskedFor() {
        RecordingWindows windows = windows("read:until x until signal:USR1 for 200 ms");
        assertEquals("read:until x", open(windows, SharedLayout.START_READ).cause());
        assertEquals("signal:USR1", close(windows, SharedLayout.START_SIGNAL).cause());
        assertEquals("ctl", open(windows, SharedLayout.START_CONTROL).cause());
        assertEquals("for 200 ms", close(windows, SharedLayout.START_FOR).cause());
        assertEquals("fork", open(windows, SharedLayout.START_FORK).cause());
        assertEquals("unknown", close(windows, 99).cause());
    }

    @Test
    void shouldBeSilentWhereNothingWasAskedFor() {
        for (String start : new String[] {"main", "load", ""}) {
            RecordingWindows windows = windows(start);
            assertTrue(windows.isWhole());
            assertNull(open(windows, SharedLayout.START_MAIN));
        }
        assertEquals(
                "main", open(windows("main for 1 s"), SharedLayout.START_MAIN).cause());
        assertTrue(windows("marker").isMarked());
        assertEquals(
                "marker", open(windows("marker"), SharedLayout.START_MARKER).cause());
    }
}
