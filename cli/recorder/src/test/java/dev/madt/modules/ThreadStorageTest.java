package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadStorageTest {
    private static final long BASE = 0x5000;
    private static final long END = 0x9000;

    private final RegionMap space = new RegionMap();
    private final MapsFrame maps = new MapsFrame();
    private final SymbolsFrame symbols = new SymbolsFrame();
    private final ThreadStorage storage = new ThreadStorage();

    private void thread(int number, long base, long size, long below) {
        storage.apply(
                new TraceEvent.TlsThread(number, 0, base, size, below),
                start -> null,
                space,
                maps,
                symbols);
    }

    private String regions() {
        StringBuilder text = new StringBuilder();
        for (RegionMap.Region region : space.overlapping(0, Long.MAX_VALUE)) {
            text.append(Long.toHexString(region.start())).append(region.label());
        }
        return text.toString();
    }

    private void add(String label, long start, long end) {
        space.add(new RegionMap.Region(RegionKind.HEAP, 3, start, end, start, label), maps);
    }

    @Test
    void shouldLieInTheMemoryThatItIsMadeOfUntilTheThreadEnds() {
        add("[heap]", 0x1000, END);
        thread(7, BASE, 0x940, 0x200);
        assertEquals("1000[heap]4e00[tls]5000[tcb]5940[heap]", regions());
        thread(8, BASE + 0x1000, 0x940, 0x200);
        thread(7, BASE, 0, 0);
        assertEquals(RegionKind.HEAP, space.kindAt(BASE));
        assertEquals(RegionKind.HEAP, space.kindAt(BASE - 0x200));
        assertEquals(RegionKind.DATA, space.kindAt(BASE + 0x1000));
        thread(8, BASE + 0x1000, 0, 0);
        assertEquals(
                List.of(),
                space.overlapping(0, Long.MAX_VALUE).stream()
                        .filter(region -> region.kind() != RegionKind.HEAP)
                        .toList());
    }

    @Test
    void shouldStayUntilTheLastThreadWithTheBaseEnds() {
        add("[heap]", 0x1000, END);
        thread(7, BASE, 0x940, 0x200);
        thread(8, BASE, 0x940, 0x200);
        thread(8, BASE, 0, 0);
        assertEquals("1000[heap]4e00[tls]5000[tcb]5940[heap]", regions());
        thread(9, BASE, 0x940, 0x200);
        thread(7, BASE + 0x1000, 0x940, 0x200);
        assertEquals(RegionKind.DATA, space.kindAt(BASE));
        thread(9, BASE, 0, 0);
        assertEquals(RegionKind.HEAP, space.kindAt(BASE));
        assertEquals(RegionKind.DATA, space.kindAt(BASE + 0x1000));
    }

    /** The end of a thread that is killed is not told. */
    @Test
    void shouldBeMadeAnewWhereItsMemoryIsNew() {
        add("[heap]", 0x1000, END);
        thread(7, BASE, 0x940, 0x200);
        add("[heap]", 0x1000, END);
        thread(8, BASE, 0x940, 0x200);
        assertEquals("1000[heap]4e00[tls]5000[tcb]5940[heap]", regions());
    }

    @Test
    void shouldNotComeBackWhereItsMemoryIsGone() {
        add("[heap]", 0x1000, END);
        thread(7, BASE, 0x940, 0x200);
        space.forget(0x1000, END, maps);
        thread(7, BASE, 0, 0);
        assertEquals("", regions());
        thread(7, BASE, 0x940, 0x200);
        add("[other]", 0x1000, END);
        thread(7, BASE, 0, 0);
        assertEquals("1000[other]", regions());
    }
}
