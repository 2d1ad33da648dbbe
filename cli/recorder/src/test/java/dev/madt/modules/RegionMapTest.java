package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.ProcMaps;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegionMapTest {
    private static final int PAGES = 97;

    /** One kind per page, from the calls of a decoder. */
    private static final class Pages implements EventConsumer {
        private final RegionKind[] kinds = new RegionKind[PAGES];

        Pages() {
            Arrays.fill(kinds, RegionKind.OTHER);
        }

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.RegionsForgotten it) {
                mapsForget(it.start(), it.end());
            } else if (definition instanceof Definition.Region it) {
                mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
            }
        }

        private void mapsForget(long start, long end) {
            Arrays.fill(kinds, (int) start, (int) end, RegionKind.OTHER);
        }

        private void mapsAdd(
                RegionKind kind, int protection, long start, long end, long origin, String label) {
            Arrays.fill(kinds, (int) start, (int) end, kind);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {}

        @Override
        public void block(
                long number,
                int thread,
                BlockKind kind,
                long to,
                long from,
                long length,
                long code) {}

        @Override
        public void ring(TraceEvent event) {}
    }

    private static RegionMap.Region region(RegionKind kind, long start, long end) {
        return new RegionMap.Region(kind, 3, start, end, start, "[" + kind + "]");
    }

    @Test
    void shouldAgreeWithOneKindPerPageAndTellTheTraceTheSame() throws IOException {
        Random random = new Random(20261121);
        RegionMap space = new RegionMap();
        RegionKind[] model = new RegionKind[PAGES];
        Arrays.fill(model, RegionKind.OTHER);
        Pages told = new Pages();
        for (int step = 0; step < 4_001; step++) {
            int start = random.nextInt(PAGES);
            int end = start + 1 + random.nextInt(PAGES - start);
            RegionKind kind = RegionKind.of(random.nextInt(10)); // null: MadT's own
            MapsFrame frame = new MapsFrame();
            if (kind == RegionKind.OTHER) {
                space.forget(start, end, frame);
            } else {
                space.add(
                        kind == null
                                ? region(RegionKind.HEAP, start, end).madeOwn()
                                : region(kind, start, end),
                        frame);
            }
            Arrays.fill(model, start, end, kind);
            if (!frame.isEmpty()) {
                MapsFrame.decode(frame.build(1, 0), told);
            }
            for (int page = 0; page < PAGES; page++) {
                RegionKind kindNow = model[page] == null ? RegionKind.UNTRACED : model[page];
                assertEquals(kindNow, space.kindAt(page), "page " + page + " in step " + step);
            }
            Object[] seen = Arrays.stream(model)
                    .map(known -> known == null ? RegionKind.OTHER : known)
                    .toArray();
            assertEquals(Arrays.toString(seen), Arrays.toString(told.kinds), "step " + step);
        }
    }

    @Test
    void shouldTellNothingOfMemoryThatComesAgainAsItWas() {
        RegionMap space = waiting();
        MapsFrame frame = new MapsFrame();
        space.add(region(RegionKind.ANONYMOUS, 10, 20), new MapsFrame());
        for (int i = 0; i < 3; i++) {
            space.unmap(5, 25, frame);
            assertEquals(RegionKind.OTHER, space.kindAt(10));
            space.add(region(RegionKind.ANONYMOUS, 10, 20), frame);
            assertEquals(RegionKind.ANONYMOUS, space.kindAt(10));
        }
        assertTrue(frame.isEmpty());
        assertFalse(space.isBehind());
    }

    @Test
    void shouldTellOfMemoryThatHasGoneWhenItCatchesUp() throws IOException {
        Random random = new Random(20261128);
        RegionMap space = waiting();
        RegionKind[] model = new RegionKind[PAGES];
        Arrays.fill(model, RegionKind.OTHER);
        Pages told = new Pages();
        int untold = 0;
        for (int step = 0; step < 4_001; step++) {
            int start = random.nextInt(PAGES / 8) * 8;
            int end = start + 8 * (1 + random.nextInt((PAGES - start) / 8));
            RegionKind kind = random.nextBoolean()
                    ? RegionKind.OTHER
                    : random.nextBoolean() ? RegionKind.ANONYMOUS : RegionKind.HEAP;
            MapsFrame frame = new MapsFrame();
            if (kind == RegionKind.OTHER) {
                space.unmap(start, end, frame);
            } else {
                space.add(region(kind, start, end), frame);
            }
            Arrays.fill(model, start, end, kind);
            untold += space.isBehind() ? 1 : 0;
            if (random.nextInt(3) == 0) {
                space.catchUp(frame);
            }
            if (!frame.isEmpty()) {
                MapsFrame.decode(frame.build(1, 0), told);
            }
            for (int page = 0; page < PAGES; page++) {
                assertEquals(model[page], space.kindAt(page), "page " + page + " in step " + step);
                if (!space.isBehind() || model[page] != RegionKind.OTHER) {
                    assertEquals(model[page], told.kinds[page], "page " + page + " in " + step);
                }
            }
        }
        assertTrue(untold > 100, "" + untold);
    }

    private static RegionMap waiting() {
        return new RegionMap(Scope.EVERYTHING, "", new HashSet<>(), true);
    }

    @Test
    void shouldKeepTheOriginOfWhatRemainsAfterACut() {
        RegionMap space = new RegionMap();
        space.add(region(RegionKind.ANONYMOUS, 10, 20), new MapsFrame());
        space.forget(12, 15, new MapsFrame());
        assertEquals(
                List.of(10L, 10L),
                space.overlapping(0, 100).stream().map(RegionMap.Region::origin).toList());
        assertEquals(RegionKind.OTHER, space.kindAt(12));
        assertEquals(RegionKind.ANONYMOUS, space.kindAt(15));
    }

    /** Leaves memory that has become something else by now. */
    @Test
    void shouldNameTheStacksThatAChildHasFromItsParent() {
        RegionMap parent = new RegionMap();
        parent.add(region(RegionKind.ANONYMOUS, 0, 10), new MapsFrame());
        parent.add(RegionMap.Region.stack(3, 10, 30, 10), new MapsFrame());
        RegionMap child = new RegionMap();
        child.add(region(RegionKind.ANONYMOUS, 0, 20), new MapsFrame());
        child.add(region(RegionKind.FILE, 20, 25), new MapsFrame());
        child.inherit(parent.stacks(), new MapsFrame());
        assertEquals(RegionKind.ANONYMOUS, child.kindAt(9));
        assertEquals(RegionKind.STACK, child.kindAt(10));
        assertEquals(RegionKind.STACK, child.kindAt(19));
        assertEquals(RegionKind.FILE, child.kindAt(20));
        assertEquals(RegionKind.OTHER, child.kindAt(25));
    }

    private static List<RegionMap.Region> seen(String maps, OwnMappings own) {
        return new MapSnapshot(
                        Path.of("/opt/libmadt.so"),
                        Path.of("/dev/shm/madt-1"),
                        Path.of("/cache/madt"))
                .regions(ProcMaps.parse(maps), own, 8L << 20);
    }

    @Test
    void shouldTellKindsFromProcMaps() {
        String maps =
                """
                555555554000-555555556000 r-xp 00001000 fe:00 12 /usr/bin/my prog
                555555557000-555555578000 rw-p 00000000 00:00 0  [heap]
                7ffff7d00000-7ffff7d01000 rw-p 00000000 00:00 0\s
                7ffff7fc0000-7ffff7fc2000 r-xp 00000000 00:00 0  [vdso]
                7ffff7fc5000-7ffff7fc6000 r--p 00000000 fe:00 13 /usr/lib/ld-linux-x86-64.so.2
                7ffff7fc8000-7ffff7fc9000 rw-s 00000000 00:01 14 /dev/shm/madt-1/session
                7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0  [stack]
                ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
                """;
        List<RegionMap.Region> regions = seen(maps, OwnMappings.NONE);
        assertEquals(
                List.of(
                        RegionKind.FILE,
                        RegionKind.HEAP,
                        RegionKind.ANONYMOUS,
                        RegionKind.SPECIAL,
                        RegionKind.UNTRACED,
                        RegionKind.UNTRACED,
                        RegionKind.STACK),
                regions.stream().map(RegionMap.Region::kind).toList());
        assertEquals(
                List.of(false, false, false, false, false, true, false),
                regions.stream().map(RegionMap.Region::own).toList());
        assertEquals("[file:my prog]", regions.get(0).label());
        assertEquals(0x555555553000L, regions.get(0).origin());
        assertEquals(0x7ffffffff000L - (8 << 20), regions.get(6).start());
    }

    /**
     * The kernel shows neighbouring anonymous mappings as one; files of the program may have the
     * names of MadT's.
     */
    @Test
    void shouldTakeForMadtsOwnWhatIsMarked() {
        String maps =
                """
                200000000000-200000003000 rw-p 00000000 00:00 0\s
                7ffff7d00000-7ffff7d09000 rw-p 00000000 00:00 0\s
                7ffff7e00000-7ffff7e01000 rw-s 00000000 00:01 14 /home/p0.b0
                7ffff7e01000-7ffff7e02000 rw-s 00000000 00:01 15 /home/main.codemap
                """;
        OwnMappings own = new OwnMappings(List.of(
                new OwnMappings.Range(0x7ffff7d03000L, 0x7ffff7d04000L),
                new OwnMappings.Range(0x200000000000L, 0x200000003000L),
                new OwnMappings.Range(0x7ffff7d05000L, 0x7ffff7d0a000L)));
        List<RegionMap.Region> regions = seen(maps, own);
        assertEquals(
                List.of(
                        "own 200000000000-200000003000",
                        "anonymous 7ffff7d00000-7ffff7d03000",
                        "own 7ffff7d03000-7ffff7d04000",
                        "anonymous 7ffff7d04000-7ffff7d05000",
                        "own 7ffff7d05000-7ffff7d09000",
                        "mapped file 7ffff7e00000-7ffff7e01000",
                        "mapped file 7ffff7e01000-7ffff7e02000"),
                regions.stream()
                        .map(region -> (region.own() ? "own" : region.kind().word()) + " "
                                + Long.toHexString(region.start()) + "-"
                                + Long.toHexString(region.end()))
                        .toList());
        assertEquals(0x7ffff7d04000L, regions.get(3).origin());
    }

    /** The text of a module may be mapped from its plan. */
    @Test
    void shouldTakeAPatchedTextImageForWhatItStandsInThePlaceOf() {
        String maps =
                """
                7ffff7c93000-7ffff7cb9000 r--p 00000000 fe:00 12 /usr/lib/libc.so.6
                7ffff7cb9000-7ffff7e0f000 r-xp 00386000 fe:00 13 /cache/madt/93ac.plan
                7ffff7e0f000-7ffff7e62000 r--p 0017c000 fe:00 12 /usr/lib/libc.so.6
                """;
        List<RegionMap.Region> regions = seen(maps, OwnMappings.NONE);
        assertEquals(
                "[file:libc.so.6] 7ffff7cb9000-7ffff7e0f000 from 7ffff7c93000",
                regions.get(1).label() + " " + Long.toHexString(regions.get(1).start()) + "-"
                        + Long.toHexString(regions.get(1).end()) + " from "
                        + Long.toHexString(regions.get(1).origin()));
        assertEquals(5, regions.get(1).protection());
    }

    /** A file with several executable segments has so many such mappings, with holes in between. */
    @Test
    void shouldTakeEachSegmentOfAPatchedTextImageForWhatItStandsInThePlaceOf() {
        String maps =
                """
                00400000-00b6f000 r--p 00000000 fe:00 12 /usr/bin/node
                00b6f000-00b71000 r-xp 00001000 fe:00 13 /cache/madt/93ac.plan
                00b72000-025fe000 r-xp 00004000 fe:00 13 /cache/madt/93ac.plan
                02600000-02601000 r-xp 01a92000 fe:00 13 /cache/madt/93ac.plan
                02700000-02701000 r-xp 01a93000 fe:00 13 /cache/madt/93ac.plan
                """;
        assertEquals(
                List.of("b6f000-b71000", "b72000-25fe000", "2600000-2601000"),
                seen(maps, OwnMappings.NONE).stream()
                        .filter(it -> it.label().equals("[file:node]") && it.protection() == 5)
                        .map(it -> Long.toHexString(it.start()) + "-" + Long.toHexString(it.end()))
                        .toList());
    }

    @Test
    void shouldReadTheMarksOfAControlFile() {
        ByteBuffer control =
                ByteBuffer.allocate(SharedLayout.CONTROL_SIZE).order(ByteOrder.LITTLE_ENDIAN);
        mark(control, 0, 0x5000, 0x7000);
        mark(control, 1, 0, 0x9000);
        mark(control, 2, 0xa000, 0);
        mark(control, SharedLayout.OWN_RANGES - 1, 0x1000, 0x3000);
        assertEquals(
                List.of(
                        new OwnMappings.Range(0x1000, 0x3000),
                        new OwnMappings.Range(0x5000, 0x7000)),
                OwnMappings.of(control).ranges());
    }

    private static void mark(ByteBuffer control, int place, long start, long end) {
        int at = SharedLayout.OWN_OFFSET + place * SharedLayout.Range.BYTES;
        control.putLong(at + SharedLayout.Range.START, start)
                .putLong(at + SharedLayout.Range.END, end);
    }
}
