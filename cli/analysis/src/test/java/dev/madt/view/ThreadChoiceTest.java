package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ThreadNames;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadChoiceTest {
    private static final long ABC = 0x636261;
    private static final long MAIN = 0x6e69616d;

    private static ThreadChoice told(String text, String names) {
        ThreadChoice choice = ThreadChoice.of(text);
        choice.meta(Map.of("pid", "1", ThreadNames.KEY, names));
        return choice;
    }

    @Test
    void shouldTakeNumbers() {
        assertTrue(ThreadChoice.ALL.holds(-7));
        assertTrue(ThreadChoice.of((String) null).isAll());
        for (String text : new String[] {"4711", "worker (4711)", "a (b) (4711)"}) {
            assertTrue(ThreadChoice.of(text).holds(4711), text);
            assertFalse(ThreadChoice.of(text).holds(471), text);
        }
        assertTrue(ThreadChoice.of("4294967295").holds(-1));
    }

    @Test
    void shouldTakeAnyNameThatAThreadHasHad() {
        ThreadChoice choice = told("work", "1,main\n2,main\n2,worker\n3,work\n3,idle");
        assertFalse(choice.holds(1));
        assertFalse(choice.holds(2));
        assertTrue(choice.holds(3));
        assertFalse(choice.holds(4));
        assertTrue(told("work*", "1,main\n2,main\n2,worker").holds(2));
        assertTrue(told("pool (2", "5,pool (2").holds(5));
        assertTrue(told("pool 2)", "5,pool 2)").holds(5));
    }

    @Test
    void shouldTakeTheNamesThatAreShownFirst() {
        ThreadChoice shown = told("main", "1,main\n2,main\n2,worker");
        assertTrue(shown.holds(1));
        assertFalse(shown.holds(2));
        shown.ring(new TraceEvent.ThreadName(2, 0, MAIN, 0, 0));
        assertFalse(shown.holds(2));
    }

    @Test
    void shouldForgetTheNamesOfAnotherTrace() {
        ThreadChoice choice = told("abc", "1,abc");
        choice.meta(Map.of("ended", "exit 0"));
        assertTrue(choice.holds(1));
        choice.meta(Map.of("pid", "2"));
        assertFalse(choice.holds(1));
        choice.ring(new TraceEvent.ThreadName(1, 0, ABC, 0, 0));
        assertTrue(choice.holds(1));
    }
}
