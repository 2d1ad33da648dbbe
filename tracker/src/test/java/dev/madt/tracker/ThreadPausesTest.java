package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ThreadPausesTest {
    private final ThreadPauses pauses = new ThreadPauses();

    @Test
    void shouldLeaveOutWaitsOfTheThread() {
        assertEquals(100, pauses.without(1, 100));
        pauses.add(1, 200, 50);
        pauses.add(2, 210, 7);
        assertEquals(250, pauses.without(1, 300));
        pauses.add(1, 400, 10);
        assertEquals(440, pauses.without(1, 500));
        assertEquals(493, pauses.without(2, 500));
    }

    /** A call of 5 ticks, whose end was read in front of two waits. */
    @Test
    void shouldNotTakeWaitsFromATimeInFrontOfThem() {
        pauses.add(1, 100, 20);
        long entered = pauses.without(1, 1000);
        pauses.add(1, 1006, 3000);
        pauses.add(1, 4007, 500);
        assertEquals(5, pauses.without(1, 1005) - entered);
        assertEquals(5000 - 3520, pauses.without(1, 5000));
    }

    @Test
    void shouldForgetOldWaits() {
        for (int i = 1; i <= 100; i++) {
            pauses.add(1, 10 * i, 1);
        }
        assertEquals(2000 - 100, pauses.without(1, 2000));
        assertEquals(995 - 99, pauses.without(1, 995));
        assertEquals(991 - 99, pauses.without(1, 991));
    }
}
