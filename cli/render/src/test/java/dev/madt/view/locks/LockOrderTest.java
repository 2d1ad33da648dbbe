package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockOrderTest {
    private final LockOrder order = new LockOrder();

    private static Holding holding(long address, int thread, int depth) {
        LockName name = new LockName("lock" + address, "lock");
        return new Holding(name, address, thread, 0, null, false, depth);
    }

    /** A thread gets some locks, one after the other, and lets go of all. */
    private void gets(int thread, long... addresses) {
        List<Holding> held = new ArrayList<>();
        for (long address : addresses) {
            Holding lock = holding(address, thread, held.size());
            order.got(lock, "mutex", 0, null, List.copyOf(held), false);
            held.add(lock);
        }
    }

    /** Lock 9 keeps threads 1 to 41 apart. */
    private void getThroughAGate() {
        for (int thread = 1; thread <= 40; thread++) {
            gets(thread, 9, 1, 2);
        }
        gets(41, 9, 2, 1);
    }

    @Test
    void shouldFindNoCircleOfThreadsThatAreKeptApart() {
        getThroughAGate();
        assertEquals(0, order.circles());
    }

    @Test
    void shouldFindACircleOfTheLastThread() {
        getThroughAGate();
        gets(42, 1, 2);
        assertEquals(1, order.circles());
        assertEquals(0, order.leftOut());
    }

    /** A lock is held, and no time: for other programs, too. */
    @Test
    void shouldCallColumnsByWhatTheyHold() {
        gets(1, 1, 2);
        assertEquals(
                List.of(
                        "times",
                        "threads",
                        "held_lock",
                        "taken_at",
                        "asked_for",
                        "asked_at",
                        "circle"),
                order.table(0, false).keys());
    }

    @Test
    void shouldNeedDifferentThreads() {
        for (int i = 0; i < 9; i++) {
            gets(1, 1, 2);
            gets(1, 2, 1);
        }
        assertEquals(0, order.circles());
    }

    @Test
    void shouldNeedOneThreadForEachLock() {
        gets(1, 1, 2);
        gets(2, 1, 2);
        gets(2, 2, 3);
        gets(1, 3, 1);
        assertEquals(0, order.circles());
    }

    @Test
    void shouldSayWhatWasLookedAtWhereNothingWasFound() {
        gets(1, 1);
        gets(2, 2);
        assertTrue(order.isEmpty());
        assertEquals(
                "no lock was asked for while another one was held (tries that do not wait are left"
                        + " out): looked at were 2 locks and what 2 threads did with them.",
                LockReport.noOrder(2, 2));
        gets(1, 1, 2);
        assertFalse(order.isEmpty());
    }

    @Test
    void shouldFindACircleOfThree() {
        gets(1, 1, 2);
        gets(2, 2, 3);
        gets(2, 3, 1);
        gets(3, 3, 1);
        assertEquals(1, order.circles());
    }

    @Test
    void shouldCountTheWaysThatAreNotKept() {
        for (int gate = 0; gate < LockOrder.MOST_WAYS + 6; gate++) {
            gets(1, 100 + gate, 1, 2);
        }
        assertEquals(6, order.leftOut());
    }
}
