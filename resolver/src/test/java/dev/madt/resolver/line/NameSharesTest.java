package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.RingEventType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NameSharesTest {
    @Test
    void shouldCountTheProgramsOwnCodeApart() {
        NameShares shares = new NameShares();
        shares.meta(Map.of("program", "/opt/some where/prog"));
        LineScene scene = new LineScene(shares);
        long block = LineScene.HEAP + 0x2a0;
        scene.malloc(block, 24, LineScene.MAIN + 45);
        var own = scene.site(LineScene.MAIN + 3, AccessKind.LOAD);
        var library = scene.site(LineScene.LIBC + 3, AccessKind.LOAD);
        shares.access(0, 7, own, false, LineScene.TABLE);
        shares.access(1, 7, library, false, LineScene.TABLE);
        shares.access(2, 7, library, false, block);
        shares.access(3, 7, own, false, LineScene.BSS);
        scene.ring(RingEventType.FREE, 0, 0, block, 0, LineScene.MAIN + 50);
        shares.access(4, 7, own, false, block + 23);
        assertEquals(2, shares.bySymbol(false));
        assertEquals(1, shares.bySymbol(true));
        assertEquals(1, shares.byLiveBlock(false));
        assertEquals(0, shares.byLiveBlock(true));
        assertEquals(1, shares.byDeadBlock(true));
        assertEquals(1, shares.byRegion(true));
    }

    @Test
    void shouldKnowTheMostBlocksAliveAtOnce() {
        NameShares shares = new NameShares();
        LineScene scene = new LineScene(shares);
        long heap = LineScene.HEAP;
        scene.malloc(heap, 16, LineScene.MAIN);
        scene.malloc(heap + 32, 16, LineScene.MAIN);
        scene.ring(RingEventType.FREE, 0, 0, heap, 0, LineScene.MAIN);
        scene.ring(RingEventType.FREE, 0, 0, heap, 0, LineScene.MAIN);
        scene.ring(RingEventType.REALLOC_BEGIN, 0, 0, heap + 32, 0, 0);
        scene.ring(RingEventType.REALLOC_END, heap + 64, 48, heap + 32, 0, LineScene.MAIN);
        assertEquals(2, shares.peakLiveBlocks());
        scene.malloc(heap, 16, LineScene.MAIN);
        scene.malloc(0, 16, LineScene.MAIN);
        assertEquals(2, shares.peakLiveBlocks());
        scene.malloc(heap + 128, 16, LineScene.MAIN);
        assertEquals(3, shares.peakLiveBlocks());
    }
}
