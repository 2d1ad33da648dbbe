package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class CallStacksTest {
    private static final int MAIN = 1;
    private static final int OTHER = 2;

    /** Pieces of memory of 64 KiB. */
    private final CallStacks stacks = new CallStacks(address -> (address >>> 16) + 1);

    @Test
    void shouldPairWhatIsNested() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        assertNull(outer.caller());
        CallStacks.Frame inner = stacks.enter(MAIN, 0x20, 0xfe00, 3);
        assertSame(outer, inner.caller());
        assertEquals(1, inner.depth());
        assertSame(inner, stacks.leave(MAIN, 0xfe00, 8));
        assertEquals(5, inner.elapsed());
        assertSame(outer, stacks.leave(MAIN, 0xff00, 10));
        assertEquals(9, outer.elapsed());
        assertEquals(4, outer.self());
        assertEquals(0, stacks.unseen() + stacks.before() + stacks.open());
    }

    @Test
    void shouldEndWhatWasLeftByATailCall() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        stacks.enter(MAIN, 0x20, 0xfe00, 2);
        CallStacks.Frame second = stacks.enter(MAIN, 0x30, 0xfe00, 3);
        assertSame(outer, second.caller());
        assertEquals(1, stacks.unseen());
        assertSame(second, stacks.leave(MAIN, 0xfe00, 4));
        assertEquals(1, stacks.open());
    }

    @Test
    void shouldEndWhatALongJumpLeft() {
        CallStacks.Frame outer = stacks.enter(MAIN, 0x10, 0xff00, 1);
        stacks.enter(MAIN, 0x20, 0xfe00, 2);
        stacks.enter(MAIN, 0x30, 0xfd00, 3);
        assertSame(outer, stacks.leave(MAIN, 0xff00, 9));
        assertEquals(2, stacks.unseen());
        assertEquals(0, stacks.open());
    }

    @Test
    void shouldKnowWhatWasEnteredBefore() {
        assertNull(stacks.leave(MAIN, 0xfe00, 1));
        stacks.enter(MAIN, 0x10, 0xfd00, 2);
        assertNull(stacks.leave(MAIN, 0xff00, 3));
        assertEquals(2, stacks.before());
        assertEquals(1, stacks.unseen());
    }

    @Test
    void shouldKeepThreadsAndStacksApart() {
        CallStacks.Frame first = stacks.enter(MAIN, 0x10, 0x1ff00, 1);
        CallStacks.Frame other = stacks.enter(OTHER, 0x10, 0x1ff00, 2);
        assertNotSame(first, other);
        CallStacks.Frame coroutine = stacks.enter(MAIN, 0x20, 0x2ff00, 3);
        assertNull(coroutine.caller());
        assertSame(first, stacks.leave(MAIN, 0x1ff00, 4));
        assertSame(coroutine, stacks.leave(MAIN, 0x2ff00, 5));
        assertEquals(0, stacks.unseen());
        assertEquals(1, stacks.forget(OTHER));
        assertEquals(0, stacks.open());
    }
}
