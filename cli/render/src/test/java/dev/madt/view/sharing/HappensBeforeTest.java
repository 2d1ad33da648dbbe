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
        int after = now(1);
        assertFalse(isBehind(2, 1, before));
        order.sync(2, 1, "received");
        assertTrue(isBehind(2, 1, before));
        assertFalse(isBehind(2, 1, after));
    }
}
