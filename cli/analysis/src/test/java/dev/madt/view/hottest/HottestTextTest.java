package dev.madt.view.hottest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.ViewFeed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HottestTextTest {
    private static final long CODE = 0x401000;
    private static final long HEAP = 0x500000;
    private static final long MAPPED = 0x7f0000000000L;

    private final LateNames names = new LateNames(Demangler.NONE);
    private final HotView view = HotView.beside();
    private final ViewFeed feed = new ViewFeed(view, names);
    private long number;
    private long epoch;

    @BeforeEach
    void begin() {
        region(RegionKind.CODE, 5, CODE, "[prog]");
        region(RegionKind.HEAP, 3, HEAP, "[heap]");
        region(RegionKind.ANONYMOUS, 3, MAPPED, "[anon]");
        feed.define(new Definition.Symbol(true, CODE, 0x100, "work"));
        feed.ring(TraceEvent.of(RingEventType.RECORD_START, 1, epoch++, 0, 0, 0, 0, "", CODE + 1));
    }

    private void region(RegionKind kind, int rights, long start, String name) {
        feed.define(new Definition.Region(kind, rights, start, start + 0x1000, start, name));
    }

    private void block(long address, long code) {
        feed.ring(TraceEvent.of(RingEventType.MALLOC, 1, epoch++, address, 64, 0, 0, "", code));
    }

    private void loads(int times, long address) {
        AccessSite site = new AccessSite(CODE + 0x40, 3, AccessKind.LOAD, 4, 0, false);
        for (int i = 0; i < times; i++) {
            feed.access(number++, 1, site, false, address);
        }
    }

    private String data() {
        feed.end(true);
        return HottestText.data(view, names);
    }

    @Test
    void shouldTellBlocksOfOneCallApartByTheirRegions() {
        block(HEAP + 0x10, CODE + 5);
        block(MAPPED + 0x10, CODE + 5);
        block(HEAP + 0x80, CODE + 9);
        loads(5, MAPPED + 0x10);
        loads(3, HEAP + 0x10);
        loads(2, HEAP + 0x80);
        assertEquals(
                "50.0 % <malloc@work+5> ([anon]), 30.0 % <malloc@work+5> ([heap]),"
                        + " 20.0 % <malloc@work+9>",
                data());
    }

    @Test
    void shouldShowLongNamesInFullWhereTheirEndsAreTheSame() {
        String first = "a_variable_with_a_name_that_is_the_first_of_two_that_look_the_same";
        String second = first.replace("first", "other");
        feed.define(new Definition.Symbol(false, HEAP, 4, first));
        feed.define(new Definition.Symbol(false, HEAP + 8, 4, second));
        loads(3, HEAP);
        loads(1, HEAP + 8);
        assertEquals("75.0 % " + first + ", 25.0 % " + second, data());
    }
}
