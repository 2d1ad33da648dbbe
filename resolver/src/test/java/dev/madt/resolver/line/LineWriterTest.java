package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Every letter, symbolic and raw, against lines written by hand after the format of the paper. */
class LineWriterTest {
    private static final long HEAP = LineScene.HEAP;
    private static final long MAIN = LineScene.MAIN;

    private static List<String> lines(
            LineOptions options, BiConsumer<LineWriter, LineScene> events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineWriter writer = new LineWriter(out, options);
        events.accept(writer, new LineScene(writer));
        writer.end(true);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void assertBoth(
            BiConsumer<LineWriter, LineScene> events, List<String> symbolic, List<String> raw) {
        assertEquals(symbolic, lines(LineOptions.SYMBOLIC, events));
        assertEquals(raw, lines(LineOptions.RAW, events));
    }

    @Test
    void shouldWriteAllocationsOfEveryKind() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 528, MAIN + 45);
                    scene.ring(RingEventType.CALLOC, HEAP + 0x4c0, 96, 0, 0, LineScene.GROW + 22);
                    scene.ring(RingEventType.MMAP, 0x7ffff7a00000L, 8191, 0, 0, MAIN + 60);
                    scene.ring(
                            RingEventType.BREAK, HEAP + 0x21000, 4096, 0, 0, LineScene.LIBC + 1234);
                },
                List.of(
                        "M$1:<malloc0001@main+45>,528",
                        "C$2:<calloc0002@grow+22>,96",
                        "P$3:<memmap0003@main+60>,8191",
                        "P$4:<memmap0004@[libc.so.6]+1234>,4096"),
                List.of(
                        "M#1:0x5555555602a0,528,0x55555555512d",
                        "C#2:0x5555555604c0,96,0x555555555216",
                        "P#3:0x7ffff7a00000,8191,0x55555555513c",
                        "P#4:0x555555581000,4096,0x7ffff7c004d2"));
    }

    @Test
    void shouldWriteReallocWithTheBlockThatEnded() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 528, LineScene.GROW + 22);
                    scene.ring(RingEventType.REALLOC_BEGIN, 0, 0, HEAP + 0x2a0, 0, 0);
                    scene.ring(
                            RingEventType.REALLOC_END,
                            HEAP + 0x600,
                            1056,
                            HEAP + 0x2a0,
                            0,
                            LineScene.GROW + 60);
                    scene.ring(RingEventType.REALLOC_BEGIN, 0, 0, 0, 0, 0);
                    scene.ring(RingEventType.REALLOC_END, HEAP + 0x2a0, 33, 0, 0, MAIN + 70);
                    scene.ring(RingEventType.REALLOC_BEGIN, 0, 0, HEAP + 0x600, 0, 0);
                    scene.ring(RingEventType.REALLOC_END, 0, 1L << 40, HEAP + 0x600, 0, MAIN + 80);
                },
                List.of(
                        "M$1:<malloc0001@grow+22>,528",
                        "R$2:<reallo0002@grow+60>,1056,<freed:0001@grow+22>",
                        "R$3:<reallo0003@main+70>,33,(nil)",
                        "R$4:(nil),1099511627776,<reallo0002@grow+60>"),
                List.of(
                        "M#1:0x5555555602a0,528,0x555555555216",
                        "R#2:0x555555560600,1056,0x5555555602a0,0x55555555523c",
                        "R#3:0x5555555602a0,33,0x0,0x555555555146",
                        "R#4:0x0,1099511627776,0x555555560600,0x555555555150"));
    }

    @Test
    void shouldWriteMremapAndMunmap() {
        long from = 0x7ffff7a00000L;
        long to = 0x7ffff7900000L;
        assertBoth(
                (writer, scene) -> {
                    scene.ring(RingEventType.MMAP, from, 8192, 0, 0, MAIN + 9);
                    scene.ring(RingEventType.MREMAP_BEGIN, 0, 0, from, 8192, 0);
                    scene.ring(RingEventType.MREMAP_END, to, 16384, from, 8192, MAIN + 19);
                    scene.ring(RingEventType.MUNMAP, 0, 0, to, 16384, MAIN + 29);
                },
                List.of(
                        "P$1:<memmap0001@main+9>,8192",
                        "E$2:<mremap0002@main+19>,16384,<unmap:0001@main+9>",
                        "U$3:<unmap:0002@main+19>,16384,main+29"),
                List.of(
                        "P#1:0x7ffff7a00000,8192,0x555555555109",
                        "E#2:0x7ffff7900000,16384,0x7ffff7a00000,0x555555555113",
                        "U#3:0x7ffff7900000,16384,0x55555555511d"));
    }

    @Test
    void shouldWriteFreeOfKnownAndUnknownBlocks() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 24, MAIN + 45);
                    scene.ring(RingEventType.FREE, 0, 0, HEAP + 0x2a0, 0, LineScene.GROW + 20);
                    scene.ring(RingEventType.FREE, 0, 0, HEAP + 0x9000, 0, LineScene.GROW + 20);
                    scene.malloc(0, 77, MAIN + 46);
                },
                List.of(
                        "M$1:<malloc0001@main+45>,24",
                        "F$2:<freed:0001@main+45>,grow+20",
                        "F$3:[heap]+36864,grow+20",
                        "M$4:(nil),77"),
                List.of(
                        "M#1:0x5555555602a0,24,0x55555555512d",
                        "F#2:0x5555555602a0,0x555555555214",
                        "F#3:0x555555569000,0x555555555214",
                        "M#4:0x0,77,0x55555555512e"));
    }

    @Test
    void shouldWriteLoadsAndStoresWithTheirNames() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 528, MAIN + 45);
                    writer.access(
                            0, 7, scene.site(MAIN + 55, AccessKind.LOAD), false, HEAP + 0x2a0);
                    writer.access(
                            1,
                            7,
                            scene.site(MAIN + 130, AccessKind.STORE),
                            true,
                            LineScene.TABLE + 24);
                    writer.access(
                            2,
                            7,
                            scene.site(MAIN + 199, AccessKind.MODIFY),
                            false,
                            LineScene.TABLE + 40);
                    writer.access(
                            3,
                            7,
                            scene.site(MAIN + 200, AccessKind.MODIFY),
                            true,
                            LineScene.BSS + 7);
                    writer.access(
                            4,
                            7,
                            scene.site(LineScene.LIBC + 99, AccessKind.LOAD),
                            false,
                            LineScene.LIBC_BSS);
                    writer.access(
                            5, 7, scene.site(MAIN, AccessKind.LOAD), false, LineScene.STACK + 5);
                    scene.ring(RingEventType.FREE, 0, 0, HEAP + 0x2a0, 0, MAIN + 9);
                    writer.access(
                            6, 7, scene.site(MAIN + 1, AccessKind.LOAD), false, HEAP + 0x2a0 + 527);
                },
                List.of(
                        "M$1:<malloc0001@main+45>,528",
                        "L$0:<malloc0001@main+45>+0,[heap],main+55",
                        "S$1:table+24,[.data],main+130",
                        "L$2:[.data]+56,[.data],main+199",
                        "S$3:[.bss]+7,[.bss],[prog]+4552",
                        "L$4:[libc.so.6:.bss]+0,[libc.so.6:.bss],[libc.so.6]+99",
                        "L$5:[stack]+5,[stack],main+0",
                        "F$2:<freed:0001@main+45>,main+9",
                        "L$6:<freed:0001@main+45>+527,[heap],main+1"),
                List.of(
                        "M#1:0x5555555602a0,528,0x55555555512d",
                        "L#0:0x5555555602a0,[heap],0x555555555137",
                        "S#1:0x555555558028,[.data],0x555555555182",
                        "L#2:0x555555558038,[.data],0x5555555551c7",
                        "S#3:0x555555559007,[.bss],0x5555555551c8",
                        "L#4:0x7ffff7e00000,[libc.so.6:.bss],0x7ffff7c00063",
                        "L#5:0x7ffffffde005,[stack],0x555555555100",
                        "F#2:0x5555555602a0,0x555555555109",
                        "L#6:0x5555555604af,[heap],0x555555555101"));
    }

    @Test
    void shouldWriteBulkTransfers() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 528, MAIN + 45);
                    long block = HEAP + 0x2a0;
                    writer.block(2, 7, BlockKind.STORE, block + 8, 0, 520, MAIN + 61);
                    writer.block(
                            3,
                            7,
                            BlockKind.COPY,
                            LineScene.BSS + 32,
                            LineScene.SOURCE + 32,
                            64,
                            MAIN + 33);
                    writer.block(4, 7, BlockKind.FETCH, LineScene.STACK + 16, 0, 0, MAIN + 34);
                },
                List.of(
                        "M$1:<malloc0001@main+45>,528",
                        "W$2:<malloc0001@main+45>+8,520,[heap],main+61",
                        "Y$3:buf+0,src+16,64,[.bss],[.rodata],main+33",
                        "G$4:[stack]+16,0,[stack],main+34"),
                List.of(
                        "M#1:0x5555555602a0,528,0x55555555512d",
                        "W#2:0x5555555602a8,520,[heap],0x55555555513d",
                        "Y#3:0x555555559020,0x555555556020,64,[.bss],[.rodata],0x555555555121",
                        "G#4:0x7ffffffde010,0,[stack],0x555555555122"));
    }

    /**
     * The function is the one of the call before the return address, which may be the first byte of
     * the next function.
     */
    @Test
    void shouldMarkTailCalls() {
        assertBoth(
                (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 24, LineScene.GROW + 75 | LineScene.TAIL);
                    scene.ring(
                            RingEventType.FREE,
                            0,
                            0,
                            HEAP + 0x2a0,
                            0,
                            LineScene.LIBC + 50 | LineScene.TAIL);
                    writer.block(
                            0,
                            7,
                            BlockKind.STORE,
                            LineScene.TABLE,
                            0,
                            3,
                            MAIN + 20 | LineScene.TAIL);
                },
                List.of(
                        "M$1:<malloc0001@grow+75~>,24",
                        "F$2:<freed:0001@grow+75~>,[libc.so.6]+50~",
                        "W$0:table+0,3,[.data],main+20~"),
                List.of(
                        "M#1:0x5555555602a0,24,0x55555555524b",
                        "F#2:0x5555555602a0,0x7ffff7c00032",
                        "W#0:0x555555558010,3,[.data],0x555555555114"));
    }

    @Test
    void shouldWriteTheSymbolicLineBeforeTheRawOneOfEachEvent() {
        assertEquals(
                List.of(
                        "M$1:<malloc0001@main+45>,24",
                        "M#1:0x5555555602a0,24,0x55555555512d",
                        "L$0:<malloc0001@main+45>+8,[heap],main+3",
                        "L#0:0x5555555602a8,[heap],0x555555555103"),
                lines(LineOptions.BOTH, (writer, scene) -> {
                    scene.malloc(HEAP + 0x2a0, 24, MAIN + 45);
                    writer.access(0, 7, scene.site(MAIN + 3, AccessKind.LOAD), false, HEAP + 0x2a8);
                }));
    }

    @Test
    void shouldNameByTheMapsAndSymbolsOfTheMoment() {
        long place = LineScene.LIBC_BSS;
        assertEquals(
                List.of(
                        "L$0:first+4,[libc.so.6:.bss],old+1",
                        "L$1:second+4,[lib.so:.data],new+1",
                        "M$1:<malloc0001@new+1>,5"),
                lines(LineOptions.SYMBOLIC, (writer, scene) -> {
                    var site = scene.site(LineScene.LIBC + 0x101, AccessKind.LOAD);
                    writer.define(new Definition.Symbol(false, place, 8, "first"));
                    writer.define(new Definition.Symbol(true, LineScene.LIBC + 0x100, 16, "old"));
                    writer.access(0, 7, site, false, place + 4);
                    writer.define(new Definition.SymbolsForgotten(LineScene.LIBC, place + 0x1000));
                    writer.define(new Definition.RegionsForgotten(LineScene.LIBC, place + 0x1000));
                    writer.define(new Definition.Region(
                            RegionKind.CODE,
                            5,
                            LineScene.LIBC,
                            LineScene.LIBC + 0x1000,
                            LineScene.LIBC,
                            "[lib.so]"));
                    writer.define(new Definition.Region(
                            RegionKind.DATA, 3, place, place + 0x1000, place, "[lib.so:.data]"));
                    writer.define(new Definition.Symbol(false, place, 8, "second"));
                    writer.define(new Definition.Symbol(true, LineScene.LIBC + 0x100, 16, "new"));
                    writer.access(1, 7, site, false, place + 4);
                    scene.malloc(HEAP, 5, LineScene.LIBC + 0x101);
                }));
    }

    @Test
    void shouldPassOnWhatTheStreamRefuses() {
        LineWriter writer = new LineWriter(
                new OutputStream() {
                    @Override
                    public void write(int value) throws IOException {
                        throw new IOException("no space left on device");
                    }
                },
                LineOptions.RAW);
        new LineScene(writer).malloc(HEAP, 5, MAIN);
        UncheckedIOException failure = assertThrows(UncheckedIOException.class, writer::flush);
        assertEquals("no space left on device", failure.getCause().getMessage());
    }
}
