package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Argument;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.FrameVariable;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.TypeEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** SRCS, DECL, TYPS, LOCS and ARGS frames, to and fro and damaged. */
class SourceFramesTest {
    /** Writes down what it is told. */
    private static final class Notes implements EventConsumer {
        private final List<String> calls = new ArrayList<>();

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.Source it) {
                source(it.code(), it.levels());
            } else if (definition instanceof Definition.Type it) {
                type(it.type());
            } else if (definition instanceof Definition.VariableType it) {
                variableType(it.address(), it.type());
            } else if (definition instanceof Definition.BlockType it) {
                blockType(it.code(), it.type());
            } else {
                calls.add(definition.toString());
            }
        }

        private void source(long code, List<SourceLevel> levels) {
            calls.add(Long.toHexString(code) + " " + levels);
        }

        private void type(TypeEntry type) {
            calls.add(type.toString());
        }

        private void variableType(long address, int type) {
            calls.add("variable " + Long.toHexString(address) + " " + type);
        }

        private void blockType(long code, int type) {
            calls.add("blocks " + Long.toHexString(code) + " " + type);
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

    private static Notes decoded(Frame... frames) throws Exception {
        Notes notes = new Notes();
        TraceDecoder decoder = new TraceDecoder(notes);
        for (Frame frame : frames) {
            decoder.frame(frame);
        }
        return notes;
    }

    @Test
    void shouldKeepArgumentsAndResults() throws Exception {
        Argument mode =
                new Argument("mode", Argument.Form.ENUMERATION, 4, 7, Map.of(0xfffffffdL, "BLUE"));
        Argument real = new Argument("", Argument.Form.FLOATING, 8, Argument.VECTOR, Map.of());
        Definition.Arguments entered =
                new Definition.Arguments(17, true, List.of(mode, Argument.nowhere("rest")));
        Definition.Arguments left = new Definition.Arguments(18, false, List.of(real));
        Notes notes = decoded(new ArgumentsFrame().add(entered).add(left).build(1, 0));
        assertEquals(List.of(entered.toString(), left.toString()), notes.calls);
        assertMalformed(
                "ARGS frame, byte 12 of its payload: argument of form 7",
                FrameType.ARGUMENTS,
                17,
                0,
                0,
                0,
                0,
                0,
                1,
                0,
                7,
                8,
                7,
                0);
    }

    @Test
    void shouldKeepWhatLiesInFrames() throws Exception {
        FrameVariable row = new FrameVariable(
                FrameVariable.Kind.PARAMETER, "größe", "_ZN1a3sadEv", -4097, 1 << 20, 7);
        FrameVariable back = new FrameVariable(
                FrameVariable.Kind.RETURN, "return", "", -8, 8, FrameVariable.NO_TYPE);
        Frame frame = new LocalsFrame()
                .variable(row)
                .variable(back)
                .scope(List.of(1, 0))
                .scope(List.of())
                .code(0x401003, 1)
                .call(0x401009, 0x402000)
                .build(7, 0);
        assertEquals(
                List.of(
                        new Definition.InFrame(row).toString(),
                        new Definition.InFrame(back).toString(),
                        new Definition.FrameScope(List.of(1, 0)).toString(),
                        new Definition.FrameScope(List.of()).toString(),
                        new Definition.CodeScope(0x401003, 1).toString(),
                        new Definition.CallSite(0x401009, 0x402000).toString()),
                decoded(frame).calls);
        assertMalformed(
                "LOCS frame, byte 4 of its payload: entry with op 9", FrameType.LOCALS, 9, 0, 0, 0);
        assertMalformed(
                "LOCS frame, byte 4 of its payload: variable of kind 4",
                FrameType.LOCALS,
                1,
                4,
                0,
                0);
        assertMalformed(
                "LOCS frame, byte 8 of its payload: 4 bytes expected, 0 are left",
                FrameType.LOCALS,
                2,
                0,
                0,
                0,
                2,
                0,
                0,
                0);
    }

    @Test
    void shouldKeepLevelsInTheirOrder() throws Exception {
        List<SourceLevel> levels = List.of(
                new SourceLevel("sad", "/src/größe.c", 41, 7), new SourceLevel("", "", 0, 0));
        Frame frame = new SourcesFrame()
                .add(0x401003, levels)
                .add(0x401009, List.of())
                .build(7, 0);
        assertEquals(List.of("401003 " + levels, "401009 []"), decoded(frame).calls);
    }

    @Test
    void shouldKeepWhereFunctionsAre() throws Exception {
        Definition.Declared one = new Definition.Declared("_ZZ4mainENKUlvE_clEv", "/src/a.cpp", 17);
        Definition.Declared other = new Definition.Declared("größe", "", 0);
        DeclarationsFrame entries = new DeclarationsFrame().add(other);
        Frame frame = new DeclarationsFrame()
                .add(one)
                .add(ByteBuffer.wrap(entries.entries()))
                .build(7, 0);
        assertEquals(List.of(one.toString(), other.toString()), decoded(frame).calls);
    }

    @Test
    void shouldKeepTypes() throws Exception {
        TypeEntry number = new TypeEntry(TypeEntry.Form.SCALAR, "long", 8, 0, 0, List.of());
        TypeEntry open = new TypeEntry(TypeEntry.Form.ARRAY, "", 0, 0, -1, List.of());
        TypeEntry struct = new TypeEntry(
                TypeEntry.Form.STRUCT,
                "struct r",
                16,
                0,
                0,
                List.of(
                        new TypeEntry.Member("a", 0, 0, 3, 37, false),
                        new TypeEntry.Member("", 1, 8, 0, 0, true)));
        TypeEntry grid = new TypeEntry(TypeEntry.Form.ARRAY, "", 24, 0, 3, List.of(), true, -71);
        TypeEntry point = new TypeEntry(
                TypeEntry.Form.STRUCT,
                "type(point)",
                8,
                0,
                0,
                List.of(new TypeEntry.Member("x", 0, 0, 0, 0, false)),
                true,
                0);
        Frame frame = new TypesFrame()
                .type(number)
                .type(open)
                .type(struct)
                .type(grid)
                .type(point)
                .variable(0x404040, 2)
                .blocks(0x401100, 0)
                .build(7, 0);
        assertEquals(
                List.of(
                        number.toString(),
                        open.toString(),
                        struct.toString(),
                        grid.toString(),
                        point.toString(),
                        "variable 404040 2",
                        "blocks 401100 0"),
                decoded(frame).calls);
    }

    @Test
    void shouldRefuseWhatIsMalformed() {
        assertMalformed(
                "TYPS frame, byte 4 of its payload: entry with op 9", FrameType.TYPES, 9, 0, 0, 0);
        assertMalformed(
                "TYPS frame, byte 4 of its payload: type of form 7", FrameType.TYPES, 1, 7, 0, 0);
        assertMalformed(
                "TYPS frame, byte 2 of its payload: 2 bytes expected, 1 are left",
                FrameType.TYPES,
                1,
                0,
                0);
        assertMalformed(
                "SRCS frame, byte 8 of its payload: 2 bytes expected, 0 are left",
                FrameType.SOURCES,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8);
    }

    private static void assertMalformed(String message, FrameType type, int... bytes) {
        ByteBuffer payload = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int one : bytes) {
            payload.put((byte) one);
        }
        Frame frame = new Frame(type, 7, 0, payload.flip());
        TraceFormatException e = assertThrows(TraceFormatException.class, () -> decoded(frame));
        assertEquals(message, e.getMessage());
    }
}
