package dev.madt.view.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Places are null here: what tells accesses apart is the address. */
class WaitLoopsTest {
    private final WaitLoops loops = new WaitLoops();

    private boolean loads(int thread, long... addresses) {
        boolean waits = false;
        for (long address : addresses) {
            waits = loops.isWaiting(thread, null, address, false);
        }
        return waits;
    }

    @Test
    void shouldSeeALoopOfOneVariable() {
        assertFalse(loads(1, 8, 8, 8));
        assertTrue(loads(1, 8));
        assertFalse(loads(1, 16));
    }

    @Test
    void shouldSeeALoopOfTwoVariables() {
        assertFalse(loads(1, 8, 16, 8, 16, 8, 16, 8));
        assertTrue(loads(1, 16));
    }

    @Test
    void shouldSeeNoneWhereAThreadStoresOrAnotherOneComes() {
        loads(1, 8, 8, 8);
        assertFalse(loops.isWaiting(1, null, 8, true));
        assertFalse(loads(1, 8, 8));
        assertFalse(loads(2, 8));
        assertFalse(loads(1, 8));
    }

    @Test
    void shouldRememberVariables() {
        loops.add(-9);
        loops.add(-9);
        assertEquals(1, loops.variables().size());
    }
}
