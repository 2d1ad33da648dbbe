package dev.madt.tracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorTurnsTest {
    private final ProcessorTurns turns = new ProcessorTurns();

    @Test
    void shouldNameWhoTookTheProcessor() {
        ProcessorTurns.Wait wait = turns.preempted(7, 100);
        assertEquals(7, turns.end(wait, 130));
    }

    /** A shell's child comes first; a hog preempts it, and is interrupted itself. */
    @Test
    void shouldNameWhoHadItForTheLongestTime() {
        ProcessorTurns.Wait wait = turns.preempted(7, 0);
        assertTrue(turns.pass(7, 8, 10));
        assertTrue(turns.pass(8, 9, 40));
        assertTrue(turns.pass(9, 8, 45));
        assertTrue(turns.pass(8, 7, 60));
        assertTrue(turns.pass(7, 5, 80));
        assertEquals(8, turns.end(wait, 81));
    }

    /** Each that waits has its own time: 8 ran for 20 since the first one waits, 9 for 15. */
    @Test
    void shouldFollowSeveralThatWait() {
        ProcessorTurns.Wait first = turns.preempted(8, 0);
        assertTrue(turns.pass(8, 9, 20));
        ProcessorTurns.Wait second = turns.preempted(9, 30);
        assertFalse(turns.pass(6, 4, 32));
        assertEquals(8, turns.end(first, 35));
        assertTrue(turns.pass(9, 3, 50));
        assertEquals(9, turns.end(second, 51));
    }

    /** Checks that what one thread holds is one processor, whoever waited for another. */
    @Test
    void shouldBringThoseTogetherWhoWaitForOne() {
        ProcessorTurns.Wait first = turns.preempted(8, 0);
        ProcessorTurns.Wait second = turns.preempted(9, 5);
        assertTrue(turns.pass(8, 9, 10));
        assertEquals(8, turns.end(first, 19));
        assertEquals(9, turns.end(second, 19));
    }

    @Test
    void shouldSayThatNobodyIsKnown() {
        assertEquals(0, turns.end(turns.preempted(0, 5), 9));
        ProcessorTurns.Wait wait = turns.preempted(7, 5);
        assertFalse(turns.pass(7, 0, 6));
        assertEquals(7, turns.end(wait, 100));
    }
}
