package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.FrameVariable;
import dev.madt.trace.event.RegionKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names of variables on stacks. */
class StackLinesTest {
    private static final int THREAD = 7;
    private static final int OTHER = 8;
    private static final long TOP = LineScene.STACK + 0x20000;
    /** Frames of main, of grow that it calls, and of grow that grow calls. */
    private static final long MAIN_FRAME = TOP;

    private static final long GROW_FRAME = TOP - 112;
    private static final long INNER_FRAME = TOP - 208;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LineWriter writer = new LineWriter(out, LineOptions.SYMBOLIC);
    private long number;

    /** Holds a site of main and of grow: before the call, the call, behind it. */
    private final AccessSite mainEarly = at(LineScene.MAIN + 8, AccessKind.STORE, -40);

    private final AccessSite mainCalls = at(LineScene.MAIN + 16, AccessKind.STORE, -120);
    private final AccessSite mainLate = at(LineScene.MAIN + 24, AccessKind.LOAD, -40);
    private final AccessSite growEarly = at(LineScene.GROW + 8, AccessKind.STORE, -16);
    private final AccessSite growCalls = at(LineScene.GROW + 16, AccessKind.STORE, -104);
    private final AccessSite growReturns =
            new AccessSite(LineScene.GROW + 32, 1, AccessKind.LOAD, 8, 0, true, -8);

    StackLinesTest() {
        new LineScene(writer);
        define(0, FrameVariable.Kind.VARIABLE, "disp", "", -48, 32);
        define(1, FrameVariable.Kind.VARIABLE, "late", "", -48, 32);
        define(2, FrameVariable.Kind.PARAMETER, "big", "", 0, 24);
        define(3, FrameVariable.Kind.VARIABLE, "k", "sad", -24, 8);
        define(4, FrameVariable.Kind.SAVED, "saved rbx", "", -16, 8);
        define(5, FrameVariable.Kind.RETURN, "return", "", -8, 8);
        writer.define(new Definition.FrameScope(List.of(0, 5)));
        writer.define(new Definition.FrameScope(List.of(1, 5)));
        writer.define(new Definition.FrameScope(List.of(3, 2, 4, 5)));
        scope(mainEarly, 0);
        scope(mainCalls, 0);
        scope(mainLate, 1);
        scope(growEarly, 2);
        scope(growCalls, 2);
        scope(growReturns, 2);
        writer.define(new Definition.CodeScope(LineScene.GROW + 24, 2));
        writer.define(new Definition.CodeScope(LineScene.MAIN + 32, 1));
        writer.define(new Definition.CallSite(LineScene.MAIN + 16, LineScene.GROW));
        writer.define(new Definition.CallSite(LineScene.GROW + 16, 0));
    }

    private void define(
            int expected,
            FrameVariable.Kind kind,
            String name,
            String function,
            int offset,
            int size) {
        assertEquals(expected, (int) number++);
        writer.define(new Definition.InFrame(
                new FrameVariable(kind, name, function, offset, size, FrameVariable.NO_TYPE)));
    }

    private void scope(AccessSite site, int scope) {
        writer.define(new Definition.CodeScope(site.address(), scope));
    }

    private static AccessSite at(long code, AccessKind kind, int frame) {
        return new AccessSite(code, 4, kind, 8, 0, true, frame);
    }

    private static AccessSite pointer(long code) {
        return new AccessSite(code, 4, AccessKind.LOAD, 8, 0, false);
    }

    private void access(int thread, AccessSite site, long address) {
        writer.access(number++, thread, site, site.kind() == AccessKind.STORE, address);
    }

    private void inFrame(AccessSite site, long frame) {
        access(THREAD, site, frame + site.frame());
    }

    /** Returns what the last line calls the data. */
    private String last() {
        writer.flush();
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        String line = lines.get(lines.size() - 1);
        return line.substring(line.indexOf(':') + 1, line.indexOf(",["));
    }

    private String through(AccessSite pointer, long address) {
        access(THREAD, pointer, address);
        return last();
    }

    @Test
    void shouldNameWhatInstructionsAddressInTheirFrame() {
        inFrame(mainEarly, MAIN_FRAME);
        assertEquals("main:disp+8", last());
        inFrame(mainLate, MAIN_FRAME);
        assertEquals("main:late+8", last());
        inFrame(growEarly, GROW_FRAME);
        assertEquals("grow:saved rbx", last());
        inFrame(growReturns, GROW_FRAME);
        assertEquals("grow:return", last());
        inFrame(at(LineScene.GROW + 8, AccessKind.STORE, -20), GROW_FRAME);
        assertEquals("sad.k (in grow)+4", last());
        inFrame(at(LineScene.GROW + 8, AccessKind.STORE, -72), GROW_FRAME);
        assertEquals("grow:frame-72", last());
    }

    @Test
    void shouldNameTheReturnAddressAfterWhatIsCalled() {
        inFrame(mainCalls, MAIN_FRAME);
        assertEquals("grow:return", last());
        inFrame(growEarly, GROW_FRAME);
        inFrame(growCalls, GROW_FRAME);
        assertEquals("grow:frame-104", last());
    }

    @Test
    void shouldNameWhatIsInFramesFurtherOutByTheirCalls() {
        inFrame(mainEarly, MAIN_FRAME);
        inFrame(mainCalls, MAIN_FRAME);
        inFrame(growEarly, GROW_FRAME);
        AccessSite pointer = pointer(LineScene.GROW + 24);
        assertEquals("main:disp+16", through(pointer, MAIN_FRAME - 32));
        assertEquals("sad.k (in grow)+0", through(pointer, GROW_FRAME - 24));
        inFrame(growCalls, GROW_FRAME);
        inFrame(growEarly, INNER_FRAME);
        assertEquals("main:disp+16", through(pointer, MAIN_FRAME - 32));
        assertEquals("sad.k (in grow)+0", through(pointer, GROW_FRAME - 24));
        assertEquals("grow:big+8", through(pointer, INNER_FRAME + 8));
        inFrame(growReturns, INNER_FRAME);
        inFrame(growReturns, GROW_FRAME);
        inFrame(mainLate, MAIN_FRAME);
        assertEquals("main:late+16", through(pointer(LineScene.MAIN + 32), MAIN_FRAME - 32));
    }

    @Test
    void shouldNotNameWhatIsNotCertain() {
        AccessSite pointer = pointer(LineScene.GROW + 24);
        assertEquals("[stack]+131024", through(pointer, MAIN_FRAME - 48));
        inFrame(mainEarly, MAIN_FRAME);
        // Nobody has called grow: whatever it does here, main is not where it was.
        assertEquals("[stack]+131024", through(pointer, MAIN_FRAME - 48));
        inFrame(mainCalls, MAIN_FRAME);
        assertEquals("main:disp+0", through(pointer, MAIN_FRAME - 48));
        assertEquals("[stack]+131012", through(pointer, MAIN_FRAME - 60));
        access(OTHER, pointer, MAIN_FRAME - 48);
        assertEquals("[stack]+131024", last());
    }

    @Test
    void shouldKnowAFunctionByTheCallThatLedToIt() {
        inFrame(mainEarly, MAIN_FRAME);
        inFrame(mainCalls, MAIN_FRAME);
        // No access of grow has told its frame, but main has called it.
        assertEquals("sad.k (in grow)+0", through(pointer(LineScene.GROW + 24), GROW_FRAME - 24));
    }

    @Test
    void shouldNameWhatIsTransferred() {
        inFrame(mainEarly, MAIN_FRAME);
        writer.block(
                number++, THREAD, BlockKind.STORE, MAIN_FRAME - 48, 0, 32, LineScene.MAIN + 32);
        assertEquals("main:late+0,32", last());
    }

    @Test
    void shouldForgetCodeThatGoes() {
        inFrame(mainEarly, MAIN_FRAME);
        writer.define(
                new Definition.RegionsForgotten(LineScene.BIAS + 0x1000, LineScene.BIAS + 0x2000));
        writer.define(new Definition.Region(
                RegionKind.CODE,
                5,
                LineScene.BIAS + 0x1000,
                LineScene.BIAS + 0x2000,
                LineScene.BIAS,
                "[prog]"));
        inFrame(mainEarly, MAIN_FRAME);
        assertEquals("main:frame-40", last());
    }
}
