package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadCallsTest {
    private static final long STACK = 0x7fff_0000;
    private static final int FRAME = 0x20;

    private final Place one = place(0x401000, "one");
    private final Place two = place(0x402000, "two");

    private static Place place(long address, String name) {
        CodeName code = new CodeName(name, name, name, "[program]");
        Place place = new Place(0, address, 1, AccessKind.ENTER, 8, code, PlaceSource.UNKNOWN);
        place.site = new AccessSite(address, 1, AccessKind.ENTER, 8, 0, false);
        return place;
    }

    private static Place leave() {
        CodeName code = CodeName.NONE;
        return new Place(1, 0x403000, 1, AccessKind.LEAVE, 8, code, PlaceSource.UNKNOWN);
    }

    private static ThreadCalls calls(int most) {
        ThreadCalls calls = new ThreadCalls(most);
        calls.neighbours(new Neighbours() {
            @Override
            public DataObject around(long address) {
                return DataObject.rest(STACK - 0x1000, STACK, "[stack]");
            }

            @Override
            public DataObject given(int thread, long word, long address) {
                return around(address);
            }

            @Override
            public DataObject below(long address) {
                return null;
            }

            @Override
            public DataObject above(long address) {
                return null;
            }

            @Override
            public Place call(long word) {
                return null;
            }
        });
        return calls;
    }

    /** Returns what a thread is in when it has called functions in each other, and leaves them. */
    private static CallChain through(ThreadCalls calls, int thread, Place... functions) {
        for (int i = 0; i < functions.length; i++) {
            calls.call(thread, functions[i], STACK - FRAME * (i + 1));
        }
        CallChain there = calls.of(thread);
        for (int i = functions.length; i > 0; i--) {
            calls.call(thread, leave(), STACK - FRAME * i);
        }
        assertSame(calls.start(), calls.of(thread));
        return there;
    }

    @Test
    void shouldHaveOneChainForAllThreads() {
        ThreadCalls calls = calls(2);
        CallChain first = through(calls, 1, one, two);
        assertEquals(List.of("two", "one"), first.functions(9));
        assertSame(first, through(calls, 2, one, two));
        assertSame(first.outer(), through(calls, 1, one));
    }

    @Test
    void shouldKeepNoMoreChainsThanAskedFor() {
        ThreadCalls calls = calls(2);
        CallChain kept = through(calls, 1, one, one);
        CallChain first = through(calls, 1, one, one, two, one);
        CallChain second = through(calls, 2, one, one, two, one);
        assertEquals(List.of("one", "two", "one", "one"), first.functions(9));
        assertEquals(first.functions(9), second.functions(9));
        assertNotSame(first, second);
        assertSame(kept, first.outer().outer());
        assertSame(kept, second.outer().outer());
        CallChain other = through(calls, 2, two);
        assertNotSame(other, through(calls, 2, two));
    }

    @Test
    void shouldTellTheInnerFunctionsOfMany() {
        ThreadCalls calls = calls(9);
        CallChain chain = through(calls, 1, one, one, two);
        assertEquals(List.of("two", "one", "…"), chain.functions(2));
        assertEquals(List.of("two", "one", "one"), chain.functions(3));
        assertEquals(List.of(CallChain.OUTSIDE), calls.start().functions(3));
    }
}
