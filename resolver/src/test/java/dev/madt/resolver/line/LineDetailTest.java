package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TypeEntry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Lines that say more than the paper's. */
class LineDetailTest {
    private static final long MAIN = LineScene.MAIN;
    private static final long HEAP = LineScene.HEAP;
    private static final Demangler BRACKETS = name -> "{" + name + "}";

    private static List<String> lines(LineDetail detail, BiConsumer<LineWriter, LineScene> events) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineWriter writer = new LineWriter(out, LineOptions.SYMBOLIC, detail);
        events.accept(writer, new LineScene(writer));
        writer.end(true);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static LineDetail source(LineDetail.Source source) {
        return new LineDetail(source, false, Demangler.NONE, BRACKETS);
    }

    private static void places(LineWriter writer, LineScene scene) {
        writer.define(new Definition.Source(
                MAIN + 9,
                List.of(
                        new SourceLevel("sad", "/a/b/sad.c", 41, 3),
                        new SourceLevel("main", "/a/b/main.c", 7, 1))));
        writer.define(new Definition.Source(
                MAIN + 44, List.of(new SourceLevel("main", "/a/b/main.c", 0, 0))));
        writer.access(0, 1, scene.site(MAIN + 9, AccessKind.LOAD), false, LineScene.TABLE + 8);
        writer.block(1, 1, BlockKind.STORE, LineScene.TABLE, 0, 24, LineScene.TAIL | MAIN + 45);
        scene.malloc(HEAP + 16, 64, MAIN + 99);
    }

    @Test
    void shouldAddThePlaceAtTheEndOfTheLine() {
        assertEquals(
                List.of(
                        "L$0:table+8,[.data],main+9,sad.c:41",
                        "W$1:table+0,24,[.data],main+45~,main.c",
                        "M$1:<malloc0001@main+99>,64,?"),
                lines(source(LineDetail.Source.PLACE), LineDetailTest::places));
    }

    @Test
    void shouldAddTheFunctionsByInlining() {
        assertEquals(
                List.of(
                        "L$0:table+8,[.data],main+9,{sad} (inlined in {main}) sad.c:41",
                        "W$1:table+0,24,[.data],main+45~,{main} main.c",
                        "M$1:<malloc0001@main+99>,64,?"),
                lines(source(LineDetail.Source.CHAIN), LineDetailTest::places));
    }

    @Test
    void shouldDemangleNamesInAllFields() {
        LineDetail detail = new LineDetail(LineDetail.Source.NONE, false, BRACKETS, BRACKETS);
        assertEquals(
                List.of(
                        "L$0:{table}+8,[.data],{main}+9",
                        "W$1:{table}+0,24,[.data],{main}+45~",
                        "M$1:<malloc0001@{main}+99>,64"),
                lines(detail, LineDetailTest::places));
    }

    /** int 0, node 1 {int value; int pair[2] (2)}, table: int[5][2] as 3, 4. */
    private static void types(LineWriter writer, LineScene scene) {
        writer.define(new Definition.Type(
                new TypeEntry(TypeEntry.Form.SCALAR, "int", 4, 0, 0, List.of())));
        writer.define(
                new Definition.Type(new TypeEntry(TypeEntry.Form.ARRAY, "", 8, 0, 2, List.of())));
        writer.define(new Definition.Type(new TypeEntry(
                TypeEntry.Form.STRUCT,
                "struct node",
                12,
                0,
                0,
                List.of(
                        new TypeEntry.Member("value", 0, 0, 0, 0, false),
                        new TypeEntry.Member("pair", 1, 4, 0, 0, false)))));
        writer.define(
                new Definition.Type(new TypeEntry(TypeEntry.Form.ARRAY, "", 40, 1, 5, List.of())));
        writer.define(new Definition.VariableType(LineScene.TABLE, 3));
        writer.define(new Definition.BlockType(MAIN + 99, 2));
        writer.access(0, 1, scene.site(MAIN, AccessKind.LOAD), false, LineScene.TABLE + 28);
        writer.access(1, 1, scene.site(MAIN, AccessKind.LOAD), false, LineScene.BSS + 40);
        scene.malloc(HEAP + 16, 12, MAIN + 99);
        scene.malloc(HEAP + 64, 48, MAIN + 99);
        writer.access(2, 1, scene.site(MAIN, AccessKind.LOAD), false, HEAP + 16 + 8);
        writer.access(3, 1, scene.site(MAIN, AccessKind.LOAD), false, HEAP + 64 + 24);
        writer.define(new Definition.SymbolsForgotten(LineScene.TABLE, LineScene.TABLE + 1));
        writer.define(new Definition.Symbol(false, LineScene.TABLE, 40, "other"));
        writer.access(4, 1, scene.site(MAIN, AccessKind.LOAD), false, LineScene.TABLE + 28);
    }

    @Test
    void shouldNameMembersWhereTheTypeIsKnown() {
        LineDetail detail =
                new LineDetail(LineDetail.Source.NONE, true, Demangler.NONE, Demangler.NONE);
        assertEquals(
                List.of(
                        "L$0:table[3][1],[.data],main+0",
                        "L$1:buf+8,[.bss],main+0",
                        "M$1:<malloc0001@main+99>,12",
                        "M$2:<malloc0002@main+99>,48",
                        "L$2:<malloc0001@main+99>->pair[1]?,[heap],main+0",
                        "L$3:<malloc0002@main+99>[2].value?,[heap],main+0",
                        "L$4:other+28,[.data],main+0"),
                lines(detail, LineDetailTest::types));
    }
}
