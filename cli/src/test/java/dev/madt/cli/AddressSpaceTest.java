package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.ProcMaps;
import dev.madt.tracker.BlockKind;
import dev.madt.tracker.EventConsumer;
import dev.madt.tracker.MapsFrame;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AddressSpaceTest {
    private static final int PAGES = 97;

    /** One kind per page, from the calls of a decoder. */
    private static final class Pages implements EventConsumer {
        private final int[] kinds = new int[PAGES];

        @Override
        public void mapsForget(long start, long end) {
            Arrays.fill(kinds, (int) start, (int) end, 0);
        }

        @Override
        public void mapsAdd(int kind, int protection, long start, long end, long origin, String label) {
            Arrays.fill(kinds, (int) start, (int) end, kind);
        }

        @Override
        public void access(long number, int thread, Site site, boolean store, long address) {}

        @Override
        public void block(long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

        @Override
        public void ring(RingEvent event) {}
    }

    private static AddressSpace.Region region(int kind, long start, long end) {
        return new AddressSpace.Region(kind, 3, start, end, start, "[" + kind + "]");
    }

    @Test
    void shouldAgreeWithOneKindPerPageAndTellTheTraceTheSame() throws IOException {
        Random random = new Random(20261121);
        AddressSpace space = new AddressSpace();
        int[] model = new int[PAGES];
        Pages told = new Pages();
        for (int step = 0; step < 4_001; step++) {
            int start = random.nextInt(PAGES);
            int end = start + 1 + random.nextInt(PAGES - start);
            int kind = random.nextInt(9);
            MapsFrame frame = new MapsFrame();
            if (kind == 0) {
                space.forget(start, end, frame);
            } else {
                space.add(region(kind, start, end), frame);
            }
            Arrays.fill(model, start, end, kind);
            if (!frame.isEmpty()) {
                MapsFrame.decode(frame.build(1, 0), told);
            }
            for (int page = 0; page < PAGES; page++) {
                assertEquals(model[page], space.kindAt(page), "page " + page + " in step " + step);
            }
            assertEquals(Arrays.toString(model), Arrays.toString(told.kinds), "step " + step);
        }
    }

    @Test
    void shouldKeepTheOriginOfWhatRemainsAfterACut() {
        AddressSpace space = new AddressSpace();
        space.add(region(AddressSpace.ANONYMOUS, 10, 20), new MapsFrame());
        space.forget(12, 15, new MapsFrame());
        assertEquals(List.of(10L, 10L), space.overlapping(0, 100).stream().map(AddressSpace.Region::origin).toList());
        assertEquals(AddressSpace.OTHER, space.kindAt(12));
        assertEquals(AddressSpace.ANONYMOUS, space.kindAt(15));
    }

    @Test
    void shouldTellKindsFromProcMaps() {
        String maps = """
                555555554000-555555556000 r-xp 00001000 fe:00 12 /usr/bin/my prog
                555555557000-555555578000 rw-p 00000000 00:00 0  [heap]
                7ffff7d00000-7ffff7d01000 rw-p 00000000 00:00 0\s
                7ffff7fc0000-7ffff7fc2000 r-xp 00000000 00:00 0  [vdso]
                7ffff7fc5000-7ffff7fc6000 r--p 00000000 fe:00 13 /usr/lib/ld-linux-x86-64.so.2
                7ffff7fc8000-7ffff7fc9000 rw-s 00000000 00:01 14 /dev/shm/madt-1/p0.ctl
                7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0  [stack]
                ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
                """;
        List<AddressSpace.Region> regions = new MapSnapshot(Path.of("/opt/libmadt.so"), Path.of("/dev/shm/madt-1"))
                .regions(ProcMaps.parse(maps), 8L << 20);
        assertEquals(
                List.of(AddressSpace.FILE, AddressSpace.HEAP, AddressSpace.ANONYMOUS, AddressSpace.SPECIAL,
                        AddressSpace.UNTRACED, AddressSpace.UNTRACED, AddressSpace.STACK),
                regions.stream().map(AddressSpace.Region::kind).toList());
        assertEquals("[file:my prog]", regions.get(0).label());
        assertEquals(0x555555553000L, regions.get(0).origin());
        assertEquals(0x7ffffffff000L - (8 << 20), regions.get(6).start());
    }
}
