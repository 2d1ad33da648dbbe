package dev.madt.view.sharing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HappensBeforeTest {
    private static final long BARRIER = 0x1000;

    private final HappensBefore order = new HappensBefore();

    /** Returns whether a thread comes behind all that another one has done until now. */
    private boolean isBehind(int thread, int other, int then) {
        return then <= order.thread(thread).clock.get(order.thread(other).index);
    }

    private int now(int thread) {
        return order.thread(thread).now();
    }

    @Test
    void shouldHaveThreadsMeet() {
        int first = now(1);
        int second = now(2);
        order.sync(1, BARRIER, "arrive");
        order.sync(2, BARRIER, "arrive");
        order.sync(1, BARRIER, "pass");
        order.sync(2, BARRIER, "pass");
        assertTrue(isBehind(1, 2, second));
        assertTrue(isBehind(2, 1, first));
    }

    /** A thread that leaves a meeting late is not behind what others did since. */
    @Test
    void shouldKeepMeetingsApart() {
        order.sync(1, BARRIER, "arrive");
        order.sync(2, BARRIER, "arrive");
        order.sync(1, BARRIER, "pass");
        int between = now(1);
        order.sync(1, BARRIER, "arrive");
        order.sync(2, BARRIER, "pass");
        assertFalse(isBehind(2, 1, between));
        order.sync(2, BARRIER, "arrive");
        order.sync(2, BARRIER, "pass");
        assertTrue(isBehind(2, 1, between));
    }

    @Test
    void shouldFollowWhatIsHandedOver() {
        int before = now(1);
        order.sync(1, 1, "sent");
        int fetched = now(1);
        order.goesOn(1);
        int after = now(1);
        assertFalse(isBehind(2, 1, before));
        order.sync(2, 1, "received");
        assertTrue(isBehind(2, 1, before));
        assertTrue(isBehind(2, 1, fetched));
        assertFalse(isBehind(2, 1, after));
    }

    /** A child of vfork has its parent's memory while that waits. */
    @Test
    void shouldPutAChildOfVforkBetweenWhatItsParentDoes() {
        int before = now(1);
        order.lend(2);
        assertTrue(isBehind(2, 1, before));
        int lent = now(2);
        assertFalse(isBehind(1, 2, lent));
        order.lentBack(1);
        assertTrue(isBehind(1, 2, lent));
        order.end(2);
        int later = now(2);
        order.lentBack(1);
        assertFalse(isBehind(1, 2, later));
    }

    /** A thread that has done nothing may be waited for before anything is told of it. */
    @Test
    void shouldWaitForNobodyElse() {
        order.handle(2, 22);
        int second = now(2);
        order.sync(1, 33, "join");
        assertFalse(isBehind(1, 2, second));
        order.sync(1, 22, "join");
        assertTrue(isBehind(1, 2, second));
        int unnamed = now(4);
        order.sync(1, 33, "join");
        assertTrue(isBehind(1, 4, unnamed));
    }

    /** A gap comes behind all that was done, and before all that is done then. */
    @Test
    void shouldHaveAGapInOrder() {
        int first = now(1);
        int second = now(2);
        order.gap();
        assertTrue(isBehind(1, 2, second));
        assertTrue(isBehind(2, 1, first));
        assertTrue(isBehind(3, 1, first));
        assertFalse(isBehind(3, 1, now(1)));
    }

    /** A thread that is to leave a meeting when a gap comes may leave another one behind it. */
    @Test
    void shouldForgetMeetingsAtAGap() {
        order.sync(1, BARRIER, "arrive");
        order.sync(2, BARRIER, "arrive");
        order.sync(2, BARRIER, "pass");
        order.gap();
        int second = now(2);
        order.sync(2, BARRIER, "arrive");
        order.sync(2, BARRIER, "pass");
        order.sync(1, BARRIER, "pass");
        assertTrue(isBehind(1, 2, second));
    }

    /** Nobody knows for whom a thread waited whose call was entered before the window opened. */
    @Test
    void shouldComeBehindAllThatALateCallMayHaveWaitedFor() {
        int second = now(2);
        order.sync(1, 0, "late");
        assertTrue(isBehind(1, 2, second));
        assertFalse(isBehind(1, 2, now(2)));
    }

    @Test
    void shouldTellWhatIsPublished() {
        HappensBefore.Thread one = order.thread(1);
        int then = one.now();
        assertFalse(order.isPublished(BARRIER, one.index, then));
        order.publish(one, BARRIER);
        assertTrue(order.isPublished(BARRIER, one.index, then));
        assertFalse(order.isPublished(BARRIER, one.index, one.now())); // what it does from now on
        assertFalse(order.isPublished(
                BARRIER, order.thread(2).index, order.thread(2).now()));
    }
}
